"""Loggers by their official path."""

import logging


def get_logger(name):
    return logging.getLogger(name)


def configure_logging(level="INFO"):
    logging.basicConfig(level=level, format="%(message)s", handlers=[logging.StreamHandler()])
