"""Hooks for tests of hosts: what happens when the core itself fails."""

from types import TracebackType

from . import intake

__all__ = ["Fault", "fault_after"]


class Fault:
    """An injected fault; as a context manager it is disarmed at the end if it did not strike."""

    def __enter__(self) -> "Fault":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disarm()

    def disarm(self) -> None:
        """Take the fault back."""
        intake.arm_fault(-1)

    @property
    def armed(self) -> bool:
        """Whether it has not struck yet."""
        return intake.fault_is_armed()


def fault_after(n: int) -> Fault:
    """The core of the next parser that reads more than `n` code points fails there, once."""
    if n < 0:
        raise ValueError(f"fault_after: expected a number of code points, got {n}")
    intake.arm_fault(n)
    return Fault()
