"""The line of customers in front of the counter."""


class BakeryLine:
    def __init__(self):
        self.customers = []

    def arrive(self, name):
        """A new customer stands at the end of the line."""
        self.customers.append(name)

    def serve(self):
        """Take the customer at the front out of the line."""
        return self.customers.pop(0)

    def waiting(self):
        """How many customers are still in the line."""
        return len(self.customers)
