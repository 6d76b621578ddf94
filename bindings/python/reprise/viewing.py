# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Graphs and runs as a page that any browser opens without a network (docs/view.md)."""
import ctypes
import html as markup
import os
import tempfile
from typing import Any, Optional, Sequence

from . import c, drawing
from .errors import Error

MOST_IN_NOTEBOOK = 4 << 20  # bytes; larger pages would make notebooks slow to open


class View:
    """A page. In a notebook it shows itself."""

    def __init__(self, source: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'view.html')
            c.call(c.rp_view_write, ctypes.byref(source), path.encode())
            with open(path, encoding='utf-8') as file:
                self.html = file.read()

    def save(self, path: Any) -> None:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        text = markup.escape(self.html)
        return f'<iframe style="width:100%;height:720px;border:1px solid #888" srcdoc="{text}"></iframe>'

    def __repr__(self) -> str:
        return f'<reprise.View: {len(self.html)} bytes; save(path) writes it>'


def make(*, graph: Any = None, recording: Any = None, runs: Sequence[Any] = (), label: Optional[str] = None,
         device: Any = None) -> View:
    held = (ctypes.c_void_p * max(len(runs), 1))(*[run.pointer for run in runs])
    pointers = {'graph': graph, 'recording': recording, 'runs': ctypes.addressof(held) if runs else None}
    if device is not None:
        ceilings = c.info('rp_view_ceilings')
        c.call(c.rp_view_measure, device.pointer, recording, ctypes.byref(ceilings))
        pointers['ceilings'] = ctypes.addressof(ceilings)
    source = c.options('rp_view_source', n_runs=len(runs), label=label.encode() if label else None)
    kinds = dict(source._fields_)
    for name, pointer in pointers.items():
        if pointer is not None:
            setattr(source, name, ctypes.cast(pointer, kinds[name]))
    return View(source)


def notebook(view: Any, dot: Any) -> str:
    """The page, if this build has it and it is not too large; else the drawing."""
    try:
        page = view()
        if len(page.html) <= MOST_IN_NOTEBOOK:
            return str(page._repr_html_())
    except Error as error:
        if error.code != 'RP_ERR_UNAVAILABLE':
            raise
    return drawing.html(dot())
