"""Writes measured speeds as motion tables: `measured_speeds.py tables > measured.toml`.

`evenstride replay YOUR.pcap --tables measured.toml` then moves these creatures at their own speeds, without the
game's archives.
"""

import sys

from query import ask

FRAMES = 30


def written(rows):
    """Returns tables (TOML) for rows of motion table, motion and metres per second."""
    text = f"[animation.stand]\nframes = {FRAMES}\n"
    kinds = {}
    for table, motion, speed in rows:
        kinds.setdefault(table, {})[motion] = speed
    for table, motions in sorted(kinds.items()):
        cycles = 'cycle.Ready = { clips = [{ animation = "stand" }] }\n'
        for motion, speed in sorted(motions.items()):
            name = f"{motion.lower()}_{table}"
            # Each keyframe takes 1/30 s.
            text += f"\n[animation.{name}]\nframes = {FRAMES}\neach = [0.0, {speed / FRAMES:.6f}, 0.0]\n"
            cycles += f'cycle.{motion} = {{ clips = [{{ animation = "{name}" }}] }}\n'
        text += f'\n[table.{table}]\ndefault_style = "NonCombat"\n'
        text += f'\n[table.{table}.style.NonCombat]\ndefault = "Ready"\n{cycles}'
    return text


if __name__ == "__main__":
    rows = ask("speed_by_kind", sys.argv[1]).fetchall()
    print(written([(row[0], row[1], row[4]) for row in rows]), end="")
