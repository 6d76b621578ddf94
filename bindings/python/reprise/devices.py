# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Contexts, devices and buffers."""
import ctypes
import sys
from typing import Any, Callable, List, NamedTuple, Optional

from . import c
from .handles import Owner, out

Log = Callable[[str, str], None]


class DeviceInfo(NamedTuple):
    kind: str  # "cpu", "cuda", "vulkan", "null"
    index: int  # type: ignore[assignment]  # hides the method of tuples
    available: bool
    name: str
    driver: str
    reason: str  # why it is not available, and what is needed
    software: bool
    memory_budget_bytes: int
    workers: int


def _info(made: Any) -> DeviceInfo:
    return DeviceInfo(c.name_of('rp_device_kind', made.kind), made.index, bool(made.available), made.name.decode(),
                      made.driver.decode(), made.reason.decode(), bool(made.software), made.memory_budget_bytes,
                      made.limits.workers)


class Context(Owner):
    """What devices and graphs belong to. Most programs need none: there is one by default.

    log: called as log(level, message) with "error", "warning", "info" or "debug", from any thread.
    """

    def __init__(self, log: Optional[Log] = None, log_level: str = 'warning') -> None:
        self._log = self._callback(log) if log else None  # kept as long as the library may call it
        options = c.options('rp_context_options', log_level=c.choice('rp_log_level', log_level))
        if self._log:
            options.log = self._log
        place, where = out()
        c.call(c.rp_context_create, ctypes.byref(options), where)
        callback = self._log

        def destroy(pointer: int, _kept: Any = callback) -> None:
            c.rp_context_destroy(pointer)
        self._own(place.value, destroy)

    @staticmethod
    def _callback(log: Log) -> Any:
        def say(_user: Any, level: int, message: bytes) -> None:
            log(c.name_of('rp_log_level', level), message.decode(errors='replace'))
        return c.rp_log_fn(say)

    def devices(self) -> List[DeviceInfo]:
        """The devices of this machine, with at least one entry for each kind; `reason` says why one is not there."""
        count = ctypes.c_uint32(16)
        while True:
            room = count.value
            entries = (c.rp_device_info * room)()
            entries[0].struct_size = ctypes.sizeof(c.rp_device_info)
            c.call(c.rp_devices, self.pointer, entries, room, ctypes.byref(count))
            if count.value <= room:
                return [_info(entry) for entry in entries[:count.value]]


_default: Optional[Context] = None


def default_context() -> Context:
    """The context of graphs and devices that were given none."""
    global _default
    if _default is None:
        _default = Context(log=lambda level, message: print(f'reprise: {level}: {message}', file=sys.stderr))
    return _default


class Device(Owner):
    """An open device: the best one, or `Device("cpu")`, `Device("cuda", index=1)`.

    threads: of the CPU device; isa: its instruction set, "c" for plain C; memory_budget_bytes: for all recordings.
    """

    def __init__(self, kind: str = 'auto', index: int = 0, *, threads: int = 0, isa: Optional[str] = None,
                 memory_budget_bytes: int = 0, cache_dir: Optional[str] = None,
                 context: Optional[Context] = None) -> None:
        context = context or default_context()
        options = c.options('rp_device_options', kind=c.choice('rp_device_kind', kind), index=index,
                            cpu_threads=threads, memory_budget_bytes=memory_budget_bytes,
                            cpu_isa=isa.encode() if isa else None,
                            cache_dir=cache_dir.encode() if cache_dir is not None else None)
        place, where = out()
        c.call(c.rp_device_open, context.pointer, ctypes.byref(options), where)
        self._own(place.value, c.rp_device_close, context.handle)

    @property
    def info(self) -> DeviceInfo:
        made = c.info('rp_device_info')
        c.rp_device_get_info(self.pointer, ctypes.byref(made))
        return _info(made)

    @property
    def available_bytes(self) -> int:
        """The part of the memory budget that a new recording may take."""
        return int(c.rp_device_available_bytes(self.pointer))

    @property
    def is_lost(self) -> bool:
        return bool(c.rp_device_is_lost(self.pointer))

    def buffer(self, size_bytes: int) -> 'Buffer':
        """Device memory, to be bound as an input or output of runs."""
        return Buffer(self, size_bytes)

    def __repr__(self) -> str:
        return f'<reprise.Device {self.info.kind}: {self.info.name}>' if self._handle else '<reprise.Device, closed>'


class Buffer(Owner):
    """Device memory that runs may read and write without a copy through the host."""

    def __init__(self, device: Device, size_bytes: int) -> None:
        place, where = out()
        c.call(c.rp_buffer_create, device.pointer, size_bytes, where)
        self._own(place.value, c.rp_buffer_destroy, device.handle)

    def __len__(self) -> int:
        """Its size in bytes."""
        return int(c.rp_buffer_size(self.pointer))

    def write(self, data: Any, offset_bytes: int = 0) -> None:
        from .types import memory, u8
        address, size, _kept = memory(data, u8, 'Buffer.write') if not hasattr(data, 'dtype') else memory(
            data.reshape(-1).view('u1'), u8, 'Buffer.write')
        c.call(c.rp_buffer_write, self.pointer, offset_bytes, address, size)

    def read(self, size_bytes: Optional[int] = None, offset_bytes: int = 0) -> bytes:
        place = ctypes.create_string_buffer(len(self) - offset_bytes if size_bytes is None else size_bytes)
        c.call(c.rp_buffer_read, self.pointer, offset_bytes, place, len(place))
        return place.raw


_shared: Optional[Device] = None


def default_device() -> Device:
    """The best device of this machine, opened once, for calls that were given none."""
    global _shared
    if _shared is None or _shared._handle is None:
        _shared = Device()
    return _shared


def devices() -> List[DeviceInfo]:
    """The devices of this machine."""
    return default_context().devices()
