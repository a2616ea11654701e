import os
import signal
import threading

import pytest

from rackwright.onboard import interrupt


@pytest.mark.parametrize("number", interrupt.SIGNALS)
def test_a_signal_is_noticed_inside_and_raised_at_the_end(number):
    before = signal.getsignal(number)
    observed = []

    def interrupted():
        with interrupt.watch_signals() as interruption:
            os.kill(os.getpid(), number)
            observed.append(interruption.came())

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert observed == [True]
    assert signal.getsignal(number) is before


def test_handlers_are_restored_when_nothing_came():
    before = signal.getsignal(signal.SIGINT)
    with interrupt.watch_signals() as interruption:
        assert signal.getsignal(signal.SIGINT) == interruption.notice
    assert signal.getsignal(signal.SIGINT) is before


def test_an_error_of_the_block_is_not_hidden():
    with pytest.raises(ValueError, match="own"), interrupt.watch_signals():
        raise ValueError("own")


def test_other_threads_are_left_alone():
    outcome = []

    def work():
        with interrupt.watch_signals() as interruption:
            outcome.append(interruption.came())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert outcome == [False]
