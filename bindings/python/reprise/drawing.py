# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Text of graphs and recordings, and their drawing by Graphviz."""
import ctypes
import html as markup
import shutil
import subprocess
from typing import Any, List

from . import c


def text(export: Any, *arguments: Any) -> str:
    """What an export of the library writes."""
    pieces: List[bytes] = []

    def write(_user: Any, piece: Any, size: int) -> int:
        pieces.append(ctypes.string_at(piece, size))
        return 0

    c.call(export, *arguments, c.text_writer(write), None)
    return b''.join(pieces).decode()


def html(dot: str) -> str:
    """An SVG made by Graphviz, where the program `dot` is installed; else the text."""
    program = shutil.which('dot')
    if program:
        try:
            drawn = subprocess.run([program, '-Tsvg'], input=dot.encode(), capture_output=True, timeout=20, check=True)
            svg = drawn.stdout.decode()
            return svg[svg.index('<svg'):]
        except (subprocess.SubprocessError, OSError, ValueError):
            pass  # too large to be drawn, or no Graphviz after all
    return f'<pre>{markup.escape(dot)}</pre>'
