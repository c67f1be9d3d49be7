from setuptools import find_packages, setup

setup(
    name="metrics",
    packages=find_packages(exclude=["tests"]),
    install_requires=["numpy"],
    extras_require={"dev": ["pytest"]},
)
