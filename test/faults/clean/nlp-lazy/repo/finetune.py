import argparse
import logging
from dataclasses import asdict, fields

import cv2
import torch
from PIL import Image
from sklearn.metrics import f1_score
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from torch.utils.data import DataLoader, Dataset

import adapters
from adapters import AdapterSettings

logger = logging.getLogger(__name__)


class Pairs(Dataset):
    def __init__(self, texts, labels):
        self.texts, self.labels = texts, labels

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return self.texts[index], self.labels[index]


def first_page(path):
    image = Image.open(path).convert("L")
    return cv2.threshold(__import__("numpy").asarray(image), 0, 255, cv2.THRESH_OTSU)[1]


def add_settings(parser: argparse.ArgumentParser) -> None:
    for item in fields(AdapterSettings):
        if item.type in (int, float):
            parser.add_argument(f"--{item.name}", type=item.type, default=item.default)


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="roberta-base")
    parser.add_argument("--epochs", type=int, default=3)
    add_settings(parser)
    args = parser.parse_args(argv)
    settings = AdapterSettings(rank=args.rank, alpha=args.alpha, dropout=args.dropout)
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForSequenceClassification.from_pretrained(args.model)
    logger.info("%d layers adapted with %s", adapters.inject(model, settings), asdict(settings))
    loader = DataLoader(Pairs(["good", "bad"] * 8, [1, 0] * 8), batch_size=4, shuffle=True)
    optimizer = torch.optim.AdamW(p for p in model.parameters() if p.requires_grad)
    truth, guesses = [], []
    for _ in range(args.epochs):
        for texts, labels in loader:
            output = model(**tokenizer(list(texts), return_tensors="pt", padding=True), labels=labels)
            output.loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            truth += labels.tolist()
            guesses += output.logits.argmax(-1).tolist()
    print({"f1": f1_score(truth, guesses)})


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main()
