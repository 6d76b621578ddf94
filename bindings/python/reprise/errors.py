# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a call of the library that fails raises."""


class Error(Exception):
    """A status of the library other than RP_OK.

    status: the number, code: its name such as "RP_ERR_INPUT", reason: what is wrong, where, and what to do.
    """

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(status, code, reason)
        self.status = status
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        return f'{self.code}: {self.reason}'
