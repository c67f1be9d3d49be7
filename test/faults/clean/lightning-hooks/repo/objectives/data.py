import pytorch_lightning as pl
from torch.utils.data import DataLoader, Subset, random_split
from torchvision import transforms
from torchvision.datasets import CIFAR10


class Twice:
    def __init__(self, transform):
        self.transform = transform

    def __call__(self, image):
        return self.transform(image), self.transform(image)


class TwoViews(pl.LightningDataModule):
    def __init__(self, data_dir: str, batch_size: int, workers: int = 4, limit: int | None = None):
        super().__init__()
        self.save_hyperparameters()
        augment = [transforms.RandomResizedCrop(32), transforms.RandomHorizontalFlip(), transforms.ToTensor()]
        self.train_transform = Twice(transforms.Compose(augment))

    def prepare_data(self):
        for train in (True, False):
            CIFAR10(self.hparams.data_dir, train=train, download=True)

    def setup(self, stage):
        plain = transforms.ToTensor()
        if stage == "fit":
            views = CIFAR10(self.hparams.data_dir, train=True, transform=self.train_transform)
            single = CIFAR10(self.hparams.data_dir, train=True, transform=plain)
            train, held_out = random_split(range(len(views)), [45_000, 5_000])
            self.train_set = self._limited(Subset(views, list(train)))
            self.val_set = self._limited(Subset(single, list(held_out)))
        if stage == "test":
            self.test_set = self._limited(CIFAR10(self.hparams.data_dir, train=False, transform=plain))

    def _limited(self, data):
        return data if self.hparams.limit is None else Subset(data, range(self.hparams.limit))

    def _loader(self, data, shuffle=False):
        return DataLoader(
            data, self.hparams.batch_size, shuffle=shuffle, num_workers=self.hparams.workers, drop_last=shuffle
        )

    def train_dataloader(self):
        return self._loader(self.train_set, shuffle=True)

    def val_dataloader(self):
        return self._loader(self.val_set)

    def test_dataloader(self):
        return self._loader(self.test_set)
