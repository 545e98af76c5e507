import unittest

from desk import check_in
from waiting_room import WaitingRoom


class HiddenClinicTest(unittest.TestCase):
    def test_mixed_day(self):
        room = WaitingRoom()
        for name, urgent in [("A", False), ("B", True), ("C", False), ("D", True)]:
            check_in(room, {"name": name, "urgent": urgent})
        called = [room.call_next() for _ in range(5)]
        self.assertEqual(called, ["B", "D", "A", "C", None])

    def test_urgent_after_some_were_called(self):
        room = WaitingRoom()
        room.arrive("A", urgent=True)
        room.arrive("B")
        room.arrive("C")
        self.assertEqual(room.call_next(), "A")
        room.arrive("D", urgent=True)
        called = [room.call_next() for _ in range(3)]
        self.assertEqual(called, ["D", "B", "C"])

    def test_nobody_is_urgent(self):
        room = WaitingRoom()
        room.arrive("A")
        room.arrive("B")
        self.assertEqual([room.call_next(), room.call_next()], ["A", "B"])

    def test_empty_room(self):
        self.assertIsNone(WaitingRoom().call_next())
