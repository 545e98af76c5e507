"""Counts the words of a text."""


def count_words(text):
    """Map each word, in lower case and without . , ! ? around it, to its count."""
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
