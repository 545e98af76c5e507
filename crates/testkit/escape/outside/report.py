"""The result in words, or as JSON."""

import json
import sys

HELD, ESCAPED, NOT_APPLICABLE, BROKEN = "held", "escaped", "not applicable", "broken"
# So much of it must succeed without a sandbox, or the suite is known to say nothing.
BITES = 0.6


def line(result):
    note = "; ".join(result["seen"]) or result["note"].strip().splitlines()[-1:] or ""
    note = note if isinstance(note, str) else note[0]
    beyond = "" if result["promised"] else " (beyond what is promised)"
    print(f"{result['verdict']:15} {result['group']:18} {result['name']:32} {note[:150]}{beyond}", flush=True)


def unfit(results):
    print("The runner does not let a harmless program run. Nothing was judged.", file=sys.stderr)
    for result in results:
        print(f"  {result['name']}: {result['note'].strip()[-300:]}", file=sys.stderr)
    return 2


def count(results, verdict):
    return sum(one["verdict"] == verdict for one in results)


def groups(results):
    found = {}
    for one in results:
        found.setdefault(one["group"], []).append(one)
    return found


def is_good(results, profile):
    if count(results, BROKEN):
        return False
    if profile == "control":
        possible = [one for one in results if not lacks(one)]
        return count(possible, ESCAPED) >= BITES * len(possible)
    return not any(one["verdict"] == ESCAPED and one["promised"] for one in results)


def lacks(result):
    """Whether the machine has not what the attempt needs. What is never run in the control counts against it."""
    ours = ("never run", "the control could not")
    return result["verdict"] == NOT_APPLICABLE and not result["note"].startswith(ours)


def whole(results, chosen, seconds):
    good = is_good(results, chosen.profile)
    verdicts = (HELD, ESCAPED, NOT_APPLICABLE, BROKEN)
    summary = {verdict: count(results, verdict) for verdict in verdicts}
    by_group = {name: {verdict: count(some, verdict) for verdict in verdicts} for name, some in groups(results).items()}
    if chosen.json:
        print(json.dumps({"profile": chosen.profile, "good": good, "seconds": round(seconds, 1), "summary": summary,
                          "groups": by_group, "attempts": results}, indent=1))
        return 0 if good else 1
    print(f"\n{'group':20} {'all':>5}" + "".join(f"{verdict:>16}" for verdict in verdicts))
    for name, counts in sorted(by_group.items()):
        print(f"{name:20} {sum(counts.values()):5}" + "".join(f"{counts[verdict]:16}" for verdict in verdicts))
    print(f"{'together':20} {len(results):5}" + "".join(f"{summary[verdict]:16}" for verdict in verdicts))
    print(f"{seconds:.0f} s")
    print(closing(results, chosen.profile, good))
    return 0 if good else 1


def closing(results, profile, good):
    if count(results, BROKEN):
        return "Some attempts did not run as they should: the result says nothing until that is mended."
    if profile == "control":
        possible = [one for one in results if not lacks(one)]
        share = count(possible, ESCAPED) / max(1, len(possible))
        return f"Without a sandbox {share:.0%} of what is possible here succeed; {BITES:.0%} are needed."
    return "Nothing got out that was to be held." if good else "Something got out."
