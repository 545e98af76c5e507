"""The desk at the entrance of a clinic."""


def check_in(room, form):
    """Send the patient on the form to the waiting room."""
    room.arrive(form["name"])
