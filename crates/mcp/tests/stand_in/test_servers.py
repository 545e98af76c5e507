"""Twelve servers as a language model would write them, under both packages."""

import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from stand_in.compare import check, prompt, read, tool
from stand_in.harness import PROJECT, SERVERS, official_python, plain_python

BREAD = {"title": "Bread", "ingredients": [{"name": " Flour ", "amount": 500}, {"name": "Water", "amount": "350", "unit": "ml"}]}
CARD = {"front": "2+2", "back": "4", "tags": ["maths"]}

REQUESTS = {
    "unit_converter": [
        tool("convert_length", {"value": 1, "from_unit": "mi", "to_unit": "km"}),
        tool("convert_length", {"value": "2.5", "from_unit": "ft", "to_unit": "in"}),
        tool("convert_length", {"value": 1, "from_unit": "parsec", "to_unit": "km"}),
        tool("convert_length", {"value": "much", "from_unit": "m", "to_unit": "km"}, names="value"),
        tool("convert_length", {"value": 1, "from_unit": "m"}, names="to_unit"),
        tool("convert_mass", {"value": 3, "from_unit": "lb", "to_unit": "kg"}),
        tool("convert_mass", {"value": 3, "from_unit": "stone", "to_unit": "kg"}, names="from_unit"),
        tool("convert_temperature", {"value": 100, "from_unit": "F"}),
        tool("convert_temperature", {"value": -1, "from_unit": "K", "to_unit": "C"}),
        tool("no_such_tool"),
        read("units://all"),
        read("units://none", words="units://none"),
    ],
    "todo_list": [
        tool("list_todos"),
        tool("add_todo", {"title": "Buy milk", "due": "2025-03-01", "tags": ["home", "food"]}),
        tool("add_todo", {"title": "Write report", "priority": "1", "tags": '["work"]'}),
        tool("add_todo", {"title": "Nothing special"}),
        tool("add_todo", {"title": "x", "priority": 9}),
        tool("add_todo", {"title": "x", "due": "tomorrow"}, names="due"),
        tool("add_todo", {"title": 5}, names="title"),
        tool("list_todos"),
        tool("list_todos", {"tag": "work"}),
        tool("complete_todo", {"todo_id": 1}),
        tool("complete_todo", {"todo_id": 77}),
        tool("list_todos", {"include_done": "yes"}),
        tool("clear_done"),
        read("todo://2"),
        read("todo://abc"),
        prompt("plan_day"),
        prompt("plan_day", {"hours": "5"}),
        prompt("plan_day", {"hours": "many"}),
    ],
    "dice": [
        tool("roll", {"notation": "3d6+2", "seed": 7}),
        tool("roll", {"notation": "d20", "seed": "4"}),
        tool("roll", {"notation": "banana"}),
        tool("roll", {"notation": "1d6", "seed": -1}, names="seed"),
        tool("roll", {}, names="notation"),
        tool("flip_coin", {"times": 4, "seed": 3}),
        tool("flip_coin", {"times": 21}, names="times"),
        tool("probability", {"target": 5}),
    ],
    "text_stats": [
        tool("analyze", {"text": "Hello world. How are you?\nFine!"}),
        tool("analyze", {"text": ""}),
        tool("analyze", {"text": "Zürich — naïve café 日本"}),
        tool("word_frequency", {"text": "a b a c b a", "top": 2}),
        tool("word_frequency", {"text": "a b a c b a", "stop_words": ["a"]}),
        tool("word_frequency", {"text": "a b", "stop_words": 5}, names="stop_words"),
        tool("compare", {"first": "one two three", "second": "two three four"}),
        tool("compare", {"first": "", "second": ""}),
        tool("reading_time", {"text": "word " * 450}),
        tool("reading_time", {"text": "x", "words_per_minute": 0}),
    ],
    "markdown_table": [
        tool("make_table", {"headers": ["A", "B"], "rows": [[1, "x|y"], [None, True]]}),
        tool("make_table", {"headers": ["A"], "rows": [[1.5]], "align": "right"}),
        tool("make_table", {"headers": ["A"], "rows": [[1, 2]]}),
        tool("make_table", {"headers": ["A"], "rows": [[1]], "align": "middle"}, names="align"),
        tool("make_table", {"headers": '["A", "B"]', "rows": "[[1, 2]]"}),
        tool("make_table", {"headers": "A", "rows": []}, names="headers"),
        tool("records_to_table", {"records": [{"a": 1}, {"b": [1, 2]}]}),
        tool("csv_to_table", {"text": "a,b\n1,2"}),
        tool("csv_to_table", {"text": "a;b", "delimiter": ";;"}),
        tool("table_size", {"markdown": "| a | b |\n|---|---|\n| 1 | 2 |"}),
    ],
    "habit_tracker": [
        tool("create_habit", {"name": "read"}),
        tool("create_habit", {"name": "read"}),
        tool("create_habit", {"name": "run", "weekly_goal": 2}),
        tool("check_in", {"name": "run", "day": "2025-01-06"}),
        tool("check_in", {"name": "run", "day": "2025-01-07"}),
        tool("check_in", {"name": "swim", "day": "2025-01-07"}),
        tool("check_in", {"name": "run", "day": "2025-13-40"}, names="day"),
        tool("summary", {"week_start": "2025-01-06"}),
        read("habits://list"),
    ],
    "password_strength": [
        tool("check_password", {"password": "correct horse Battery 9"}),
        tool("check_password", {"password": "qwerty"}),
        tool("check_password", {"password": ""}, names="password"),
        tool("compare_passwords", {"passwords": ["abc", "A1!b"]}),
        tool("describe_level", {"level": 3}),
        tool("describe_level", {"level": 9}, names="level"),
    ],
    "timezone_math": [
        tool("convert", {"moment": "2025-01-01T12:00:00Z", "to_offset": 5.5}),
        tool("convert", {"moment": "2025-01-01T12:00", "to_offset": 0, "from_offset": -8}),
        tool("convert", {"moment": "2025-01-01 12:00:00.25", "to_offset": 0}),
        tool("convert", {"moment": "noon", "to_offset": 0}, names="moment"),
        tool("convert", {"moment": "2025-01-01T12:00:00+02:00", "to_offset": 20}),
        tool("add_duration", {"moment": "2025-01-30T23:00:00Z", "duration": "P1DT2H"}),
        tool("add_duration", {"moment": "2025-01-30", "duration": 90}),
        tool("add_duration", {"moment": 1700000000, "duration": "01:30:00"}),
        tool("difference", {"start": "2025-01-01", "end": "2025-01-02T06:00:00"}),
        tool("difference", {"start": "2025-01-01", "end": "2025-01-02T06:00:00Z"}),
        tool("overlap", {"start_a": "09:00", "end_a": "12:00", "start_b": "11:00:00", "end_b": "15:00"}),
        tool("overlap", {"start_a": "09:00", "end_a": "10:00", "start_b": "11:00", "end_b": "15:00"}),
    ],
    "recipe_scaler": [
        tool("scale", {"recipe": BREAD, "servings": 10}),
        tool("scale", {"recipe": {**BREAD, "servings": 0}, "servings": 1}, names="servings"),
        tool("scale", {"recipe": {"title": "x", "ingredients": []}, "servings": 1}, names="ingredients"),
        tool("scale", {"recipe": {"title": "x", "ingredients": [{"name": "a", "amount": 1, "colour": "red"}]}, "servings": 1}, names="colour"),
        tool("scale", {"recipe": '{"title": "Tea", "ingredients": [{"name": "Tea", "amount": 2, "unit": "tsp"}]}', "servings": 2}),
        tool("scale", {"recipe": BREAD, "servings": 0}),
        tool("shopping_list", {"recipes": [BREAD, BREAD]}),
        tool("shopping_list", {"recipes": []}),
        tool("price", {"amount": "1.5", "per_unit": 2.25}),
        tool("price", {"amount": 3, "per_unit": "0.333", "discount": 12.5}),
        tool("price", {"amount": "dear", "per_unit": 1}, names="amount"),
        tool("nice_fraction", {"amount": 0.333}),
    ],
    "flash_cards": [
        tool("create_deck", {"name": "maths"}),
        tool("create_deck", {"name": "both", "cards": [CARD, {"front": "a", "back": "b", "box": 2, "hint": "c"}]}),
        tool("add_card", {"deck": "maths", "card": CARD}),
        tool("add_card", {"deck": "none", "card": CARD}),
        tool("add_card", {"deck": "maths", "card": {"front": "x", "back": "x"}}, names="card"),
        tool("add_card", {"deck": "maths", "card": {"front": "x"}}, names="back"),
        tool("add_card", {"deck": "maths", "card": {**CARD, "box": 6}}, names="box"),
        tool("review", {"deck": "maths", "index": 0, "correct": True}),
        tool("review", {"deck": "maths", "index": 5, "correct": True}),
        tool("review", {"deck": "maths", "index": -1, "correct": True}, names="index"),
        tool("export", {"deck": "maths"}),
        tool("export", {"deck": "both", "indent": 2}),
        read("deck://maths/cards/0"),
        read("deck://maths/cards/9"),
        prompt("quiz", {"deck": "maths"}),
        prompt("quiz", {"deck": "maths", "count": "7"}),
        prompt("quiz", {}, words="deck"),
        prompt("none", words="none"),
    ],
    "countdown": [
        tool("countdown", {"steps": 3}, meta={"progressToken": "t1"}),
        tool("countdown", {"steps": 1}),
        tool("finished_count"),
        tool("parallel", {"names": ["a", "b", "c"]}),
        tool("with_timeout", {"seconds": 0}),
        tool("with_timeout", {"seconds": 5}),
        tool("read_status"),
        read("countdown://status"),
    ],
    "image_maker": [
        tool("solid", {"color": "#ff0000"}),
        tool("solid", {"color": "red"}),
        tool("gradient", {"start": "#000000", "end": "#ffffff", "size": 3}),
        tool("checkerboard"),
        tool("save", {"color": "#00ff00", "name": "green.png"}),
        tool("palette_note", {"colors": ["#fff", "#000"]}),
        tool("raw_bytes", differs="validation words"),
        read("image://00ff00"),
        read("image://zzz", words="Invalid color"),
    ],
}


@unittest.skipUnless(official_python(), "the official package is not there to compare with")
class RealisticServers(unittest.TestCase):
    maxDiff = None


def _test(name):
    def run(self):
        check(self, SERVERS / f"{name}.py", REQUESTS[name])

    return run


for _name in REQUESTS:
    setattr(RealisticServers, f"test_{_name}", _test(_name))

@unittest.skipUnless(official_python() == plain_python(), "the real pydantic is not there")
class BesideRealPydantic(unittest.TestCase):
    """Ours where pip brought pydantic and not mcp: the models are the real ones."""

    def test_models(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "mcp").symlink_to(PROJECT / "mcp")
            shutil.copy(PROJECT / "bootstrap.py", folder)
            with mock.patch("stand_in.harness.BOOTSTRAP", Path(folder) / "bootstrap.py"):
                for name in ("flash_cards", "recipe_scaler", "dice", "password_strength"):
                    with self.subTest(name):
                        check(self, SERVERS / f"{name}.py", REQUESTS[name])


if __name__ == "__main__":
    unittest.main()
