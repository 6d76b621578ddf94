# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Objects of the library with their owners: each is freed once, after everything that depends on it."""
import threading
from typing import Any, Callable, Optional, Tuple, TypeVar

# Finalizers run in any order and in any thread, also while this lock is held by the same thread.
_lock = threading.RLock()


class Handle:
    """A pointer that the library returned. It is freed when it was closed and no other handle needs it any more."""

    def __init__(self, pointer: int, free: Callable[[int], None], *needs: 'Handle') -> None:
        self.pointer = pointer
        self._free = free
        self._needs = needs
        self._users = 1
        with _lock:
            for handle in needs:
                handle._users += 1

    def release(self) -> None:
        """Gives up one use."""
        with _lock:
            self._users -= 1
            last = self._users == 0
        if last:
            self._free(self.pointer)
            for handle in self._needs:
                handle.release()


O = TypeVar('O', bound='Owner')


class Owner:
    """Base of the classes of this package: closed by `close`, by `with`, or when it is collected."""

    _handle: Optional[Handle] = None

    def _own(self, pointer: Optional[int], free: Callable[[int], None], *needs: Handle) -> None:
        assert pointer
        self._handle = Handle(pointer, free, *needs)

    @property
    def handle(self) -> Handle:
        """The handle, for other objects that need it."""
        if self._handle is None:
            raise ValueError(f'this {type(self).__name__} is closed')
        return self._handle

    @property
    def pointer(self) -> int:
        """The address of the C object, for calls through reprise.c. It stays this object's."""
        return self.handle.pointer

    def close(self) -> None:
        """Frees the object, or leaves that to the last object that needs it. May be called again."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.release()

    def __enter__(self: O) -> O:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self.close()
        except TypeError:  # at the end of the process, modules are gone before their objects
            pass


def out(count: int = 1) -> Tuple[Any, Any]:
    """A place for a pointer that a call returns, and a reference to it."""
    import ctypes
    place = (ctypes.c_void_p * count)() if count > 1 else ctypes.c_void_p()
    return place, ctypes.byref(place)
