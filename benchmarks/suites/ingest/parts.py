# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""The measurements of 'ingest'. Each takes the suite and the name of a sink, and returns what to keep of the run."""

import os
import time
from bisect import bisect_right
from math import ceil

from mpsr_launcher import waiting
from mpsr_launcher.errors import MpsrError

PARTITIONS = 4
TASKS = 2
_STALL_S = 180
_POLL_S = 0.05
_HEALTH_S = 5
_SAMPLES = 120
_LEAST_SAMPLES = 4


class Stalled(MpsrError):
    """A sink shows no more records although there are some."""

    def __init__(self, connector, text):
        super().__init__(text)
        self.connector = connector


def throughput(suite, name, number, stream, topic, flush):
    """A sink reads a topic that was filled before, until readers see all of it."""
    sink = suite.sink(name, topic, suite.tasks, flush)
    sink.prepare()
    written, cpu, start = suite.cluster.written(), suite.cluster.cpu(), time.monotonic()
    suite.start_connector(sink)
    first = _watch(suite, sink, stream.records)[0][0]
    seconds = time.monotonic() - start
    after = suite.cluster.cpu()
    run = {"kind": "throughput", "system": name, "round": number, "records": stream.records, "seconds": seconds}
    run["firstSeconds"] = first - start
    run["cpuSeconds"] = {part: after[part] - cpu[part] for part in cpu}
    run["writtenBytes"] = suite.cluster.written() - written
    run["load"] = os.getloadavg()[0]
    run |= suite.finish(sink, stream)
    suite.say(
        f"round {number + 1}: {name} took {seconds:.1f} s for {stream.records:,} records:"
        f" {stream.records / seconds:,.0f} a second, {run['cpuSeconds']['worker']:.1f} s of the worker's CPU"
    )
    return run


def latency(suite, name):
    """Records are sent at a fixed rate; how long until readers see each of them. The topic has one partition, so that the
    number of records that readers see tells which ones."""
    size = suite.size
    stream, flush_ms = size.latency, size.latency_flush[1]
    sink, sent = _send(suite, name, 1, size.latency_flush, stream, size.latency_rate)
    seen = _watch(suite, sink, stream.records, clock=time.time)
    found = latencies(sent_times(sent), [(at * 1000, count) for at, count in seen], 2 * flush_ms)
    if not found:
        raise MpsrError(f"{name}: no record was sent after the first {2 * flush_ms} ms; see {sent}")
    run = {"kind": "latency", "system": name, "rate": size.latency_rate, "flushMs": flush_ms, "samples": len(found)}
    run["percentilesMs"] = [percentile(found, share / 100) for share in range(101)]
    run["load"] = os.getloadavg()[0]
    run |= suite.finish(sink, stream)
    suite.say(f"latency: {name}: p50 {percentile(found, 0.5):.0f} ms, p99 {percentile(found, 0.99):.0f} ms")
    return run


def steady(suite, name):
    """Records are sent at a fixed rate for long, while the worker's heap, the files and the lag are sampled."""
    size = suite.size
    stream = size.steady
    sink, sent = _send(suite, name, PARTITIONS, size.steady_flush, stream, size.steady_rate)
    step = max(1.0, stream.records / size.steady_rate / _SAMPLES)
    samples = []
    start = due = time.monotonic()
    while suite.cluster.processes.pid("producer") or len(samples) < _LEAST_SAMPLES:
        due += step
        time.sleep(max(0.0, due - time.monotonic()))
        suite.require_healthy(sink)
        samples.append(_sample(suite, sink, sent, time.monotonic() - start))
    _watch(suite, sink, stream.records)
    run = {"kind": "steady", "system": name, "rate": size.steady_rate, "flushMs": size.steady_flush[1]}
    run |= {"seconds": time.monotonic() - start, "samples": samples, "load": os.getloadavg()[0]}
    return run | suite.finish(sink, stream)


def _sample(suite, sink, sent, at):
    count = sent_times(sent)[-1][0] + 1
    visible = sink.visible()
    found = {"seconds": at, "sent": count, "lag": max(0, count - visible), "heapBytes": suite.cluster.worker_heap()}
    return {**found, "files": sink.stored()["files"], "load": os.getloadavg()[0]}


def _send(suite, name, partitions, flush, stream, rate):
    """Starts a sink on an empty topic, and then the generator; returns the sink, and the file of what was sent when."""
    sink = suite.sink(name, None, min(partitions, suite.tasks), flush)
    sink.prepare()
    sent = suite.cluster.directory / f"sent-{sink.run}.txt"
    arguments = [*suite.cluster.to_topic(sink.topic, partitions), "--sent", str(sent), "--rate", str(rate)]
    suite.cluster.start_generator("producer", [*arguments, *stream.arguments()])
    waiting.until(sent.is_file, f"the topic {sink.topic}", 60, interval_seconds=0.05)
    suite.start_connector(sink)
    return sink, sent


def _watch(suite, sink, records, clock=time.monotonic):
    """Asks what readers see until that is all; returns (time, count) of each change."""
    seen, count = [], 0
    changed = time.monotonic()
    healthy = time.monotonic() + _HEALTH_S
    while count < records:
        found = sink.visible()
        if found != count:
            count, changed = found, time.monotonic()
            seen.append((clock(), count))
        if time.monotonic() > healthy:
            suite.require_healthy(sink)
            healthy = time.monotonic() + _HEALTH_S
        if time.monotonic() > changed + _STALL_S:
            raise Stalled(sink.run, f"{sink.name} shows {count:,} of {records:,} records, and no more for {_STALL_S} s")
        time.sleep(_POLL_S)
    return seen


def sent_times(file):
    """The generator's file of (number of a record, milliseconds when it was sent); the last line may not be whole yet."""
    lines = file.read_text(encoding="utf-8").split("\n")[:-1] if file.is_file() else []
    found = [tuple(map(int, line.split())) for line in lines]
    return found or [(-1, 0)]


def latencies(sent, seen, leave_out_ms):
    """The milliseconds from when records were sent until they were seen, sorted.

    ``seen`` are (milliseconds, records that were there then), growing. What was sent in the first ``leave_out_ms`` is left
    out: the sink was still starting. A record that was never seen is an error.
    """
    counts = [count for _, count in seen]
    begin = sent[0][1] + leave_out_ms
    return sorted(seen[bisect_right(counts, number)][0] - at for number, at in sent if at >= begin)


def percentile(values, share):
    """The value below which a share of the sorted values lies (nearest rank)."""
    return values[max(0, ceil(share * len(values)) - 1)]
