"""The waiting room of a clinic."""


class WaitingRoom:
    def __init__(self):
        self.urgent_patients = []
        self.patients = []

    def arrive(self, name, urgent=False):
        """A patient sits down and waits."""
        if urgent:
            self.urgent_patients.append(name)
        else:
            self.patients.append(name)

    def call_next(self):
        """The next patient, urgent ones first, or None when nobody waits."""
        if self.urgent_patients:
            return self.urgent_patients.pop(0)
        if not self.patients:
            return None
        return self.patients.pop(0)
