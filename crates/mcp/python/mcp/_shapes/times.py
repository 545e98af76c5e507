"""Dates and times, as ISO 8601 text or as seconds since 1970.

Loaded only for annotations from `datetime`. The text is read with our own patterns:
`fromisoformat` accepts too little before Python 3.11.
"""

import datetime as dt
import re

from .base import Shape, wrong

_DATE = r"(\d{4})-(\d{2})-(\d{2})"
_CLOCK = r"(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?"
_ZONE = r"(?:\s?([zZ])|\s?([+-])(\d{2}):?(\d{2})?)?"
_date = re.compile(_DATE, re.ASCII)
_datetime = re.compile(f"{_DATE}(?:[Tt _]{_CLOCK}{_ZONE})?", re.ASCII)
_time = re.compile(_CLOCK + _ZONE, re.ASCII)
_period = re.compile(
    r"([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,9}))?S)?)?", re.ASCII
)
_span = re.compile(r"([+-])?(?:(\d+)\s*d(?:ays?)?,?\s*)?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?", re.ASCII)
_number = re.compile(r"[+-]?\d{1,15}(?:\.\d+)?", re.ASCII)

# Larger numbers than this cannot be seconds in any year people live in: they are milliseconds.
_MILLISECONDS_FROM = 2e10


class _Moment(Shape):
    """What the four kinds share: an instance passes, text and numbers are read."""

    cls = noun = form = None
    counts_truth = False

    def check(self, value, strict=False):
        if self._fits(value):
            return value
        if not strict:
            try:
                if isinstance(value, str):
                    found = self.from_text(value)
                elif isinstance(value, (int, float)) and (self.counts_truth or not isinstance(value, bool)):
                    found = self.from_number(value)
                else:
                    found = self.from_other(value)
            except (ValueError, OverflowError, OSError):
                found = None
            if found is not None:
                return found
        raise wrong(f"{self.form}_type", self.noun, value)

    def _fits(self, value):
        return isinstance(value, self.cls)

    def from_other(self, value):
        return None

    def schema(self, defs):
        return {"format": self.form, "type": "string"}


class Datetime(_Moment):
    cls, noun, form = dt.datetime, "a date and time such as 2025-01-31T12:00:00", "date-time"

    def from_text(self, text):
        found = _datetime.fullmatch(text)
        if found:
            year, month, day, hour, minute, second, fraction, *zone = found.groups()
            clock = (int(hour or 0), int(minute or 0), int(second or 0), _micro(fraction))
            return dt.datetime(int(year), int(month), int(day), *clock, _zone(*zone))
        return self.from_number(float(text)) if _number.fullmatch(text) else None

    def from_number(self, value):
        if abs(value) > _MILLISECONDS_FROM:
            value /= 1000
        return dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc) + dt.timedelta(seconds=value)

    def from_other(self, value):
        return dt.datetime(value.year, value.month, value.day) if isinstance(value, dt.date) else None


class Date(_Moment):
    cls, noun, form = dt.date, "a date such as 2025-01-31", "date"

    def _fits(self, value):
        return isinstance(value, dt.date) and not isinstance(value, dt.datetime)

    def from_text(self, text):
        found = _date.fullmatch(text)
        return dt.date(*map(int, found.groups())) if found else self._whole_day(Datetime().from_text(text))

    def from_number(self, value):
        return self._whole_day(Datetime().from_number(value))

    def from_other(self, value):
        return self._whole_day(value) if isinstance(value, dt.datetime) else None

    def _whole_day(self, moment):
        """A moment counts as a date at midnight only: a time of day would be lost."""
        midnight = moment is not None and moment.time() == dt.time(0)
        return moment.date() if midnight else None


class Time(_Moment):
    cls, noun, form = dt.time, "a time such as 12:30 or 12:30:00", "time"

    def from_text(self, text):
        found = _time.fullmatch(text)
        if not found:
            return None
        hour, minute, second, fraction, *zone = found.groups()
        return dt.time(int(hour), int(minute), int(second or 0), _micro(fraction), _zone(*zone))

    def from_number(self, value):
        if not 0 <= value < 86400:
            return None
        return Datetime().from_number(value).timetz()


class Span(_Moment):
    cls, noun, form = dt.timedelta, "a length of time such as PT1H30M or 01:30:00", "duration"
    counts_truth = True

    def from_text(self, text):
        found = _period.fullmatch(text)
        if found and text[-1] not in "PT":
            sign, weeks, days, hours, minutes, seconds, fraction = found.groups()
        else:
            found = _span.fullmatch(text)
            if not found or not any(found.groups()[1:]):
                return None
            (sign, days, hours, minutes, seconds, fraction), weeks = found.groups(), 0
        span = dt.timedelta(
            weeks=int(weeks or 0),
            days=int(days or 0),
            hours=int(hours or 0),
            minutes=int(minutes or 0),
            seconds=int(seconds or 0),
            microseconds=_micro(fraction),
        )
        return -span if sign == "-" else span

    def from_number(self, value):
        return dt.timedelta(seconds=value)


def _micro(fraction):
    return int(fraction[:6].ljust(6, "0")) if fraction else 0


def _zone(zulu, sign, hours, minutes):
    if zulu:
        return dt.timezone.utc
    if not sign:
        return None
    offset = dt.timedelta(hours=int(hours), minutes=int(minutes or 0))
    return dt.timezone(-offset if sign == "-" else offset)


SHAPES = {dt.datetime: Datetime, dt.date: Date, dt.time: Time, dt.timedelta: Span}


def iso(value):
    """A value from `datetime` as the text JSON carries."""
    if isinstance(value, dt.timedelta):
        return _iso_span(value)
    text = value.isoformat()
    return text[:-6] + "Z" if text.endswith("+00:00") else text


def _iso_span(span):
    sign, span = ("-", -span) if span < dt.timedelta(0) else ("", span)
    minutes, seconds = divmod(span.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours}H" if hours else ""
    clock += f"{minutes}M" if minutes else ""
    if span.microseconds:
        clock += f"{seconds}.{span.microseconds:06d}".rstrip("0") + "S"
    elif seconds:
        clock += f"{seconds}S"
    text = (f"{span.days}D" if span.days else "") + (f"T{clock}" if clock else "")
    return f"{sign}P{text or 'T0S'}"
