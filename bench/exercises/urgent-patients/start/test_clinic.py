import unittest

from desk import check_in
from waiting_room import WaitingRoom


class ClinicTest(unittest.TestCase):
    def test_urgent_goes_first(self):
        room = WaitingRoom()
        room.arrive("Gil")
        room.arrive("Hana", urgent=True)
        self.assertEqual(room.call_next(), "Hana")
        self.assertEqual(room.call_next(), "Gil")

    def test_two_urgent_patients_keep_their_order(self):
        room = WaitingRoom()
        room.arrive("Gil")
        room.arrive("Hana", urgent=True)
        room.arrive("Iris", urgent=True)
        self.assertEqual(room.call_next(), "Hana")
        self.assertEqual(room.call_next(), "Iris")

    def test_desk_passes_the_mark_on(self):
        room = WaitingRoom()
        check_in(room, {"name": "Gil", "urgent": False})
        check_in(room, {"name": "Hana", "urgent": True})
        self.assertEqual(room.call_next(), "Hana")
