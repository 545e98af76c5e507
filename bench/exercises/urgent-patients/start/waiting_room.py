"""The waiting room of a clinic."""


class WaitingRoom:
    def __init__(self):
        self.patients = []

    def arrive(self, name):
        """A patient sits down and waits."""
        self.patients.append(name)

    def call_next(self):
        """The next patient, or None when nobody waits."""
        if not self.patients:
            return None
        return self.patients.pop(0)
