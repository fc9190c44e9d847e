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
"""What the benchmark 'paper' makes of its runs."""

import threading
import unittest

from benchmarks.harness import svg
from benchmarks.harness.machines import Machines
from benchmarks.harness.records import Size
from benchmarks.harness.spark import queue_run
from benchmarks.suites.paper import figures as paper_figures, scaling as paper_scaling
from benchmarks.suites.paper.figures import OURS, STOCK
from benchmarks.suites.paper.simulation import Kind, Rates, calibrated, simulate
from benchmarks.suites.paper.suite import size_of

SCAN = ["FileScan parquet[mpsr signal: 1 file]"]


def job(layout, kind, number, seconds, **more):
    base = {"kind": "job", "nodes": 10, "layout": layout, "job": kind, "round": number, "seconds": seconds}
    base["cpuSeconds"] = seconds / 2
    return {**base, "digest": "a", "sample": [], "scans": SCAN if layout == OURS else [], **more}


def both(number, stock, ours, kind="name", **more):
    return [job(STOCK, kind, number, stock), job(OURS, kind, number, ours, **more)]


class Results:
    """Keeps what is figured."""

    def __init__(self, runs):
        self.runs, self.figures, self.plots, self.notes, self.tables = runs, {}, [], [], []

    def figure(self, name, value, unit, spread=None, **more):
        self.figures[name] = {"value": value, "unit": unit, "spread": spread, **more}

    def find(self, **wanted):
        return [run for run in self.runs if all(run.get(key) == value for key, value in wanted.items())]


def queue(layout, jobs, interval=1.0):
    return {"kind": "queue", "nodes": 10, "layout": layout, "intervalSeconds": interval, "jobs": jobs}


class PaperTest(unittest.TestCase):
    def test_equal_answers_are_no_problem(self):
        self.assertEqual(paper_figures.problems(both(0, 2.0, 1.0)), [])

    def test_another_answer_than_stocks_is_a_problem(self):
        (found,) = paper_figures.problems(both(0, 2.0, 1.0, digest="b"))
        self.assertIn("job by name, round 0, 10 nodes", found)

    def test_a_read_that_mpsr_took_no_part_in_is_a_problem(self):
        (found,) = paper_figures.problems(both(0, 2.0, 1.0, scans=["FileScan parquet [value]"]))
        self.assertIn("EXPLAIN shows", found)

    def test_another_answer_in_the_queue_is_a_problem(self):
        runs = [queue(STOCK, [[0, 0, 1, "a"], [1, 1, 2, "b"]]), queue(OURS, [[0, 0, 1, "a"], [1, 1, 2, "c"]])]
        self.assertEqual(paper_figures.problems(runs), ["1 jobs of the queue have another answer than stock's"])

    def test_less_is_of_the_mean_of_all_jobs(self):
        results = Results([*both(0, 4.0, 1.0), *both(0, 2.0, 2.0, "time"), *both(1, 4.0, 1.0), *both(1, 2.0, 2.0, "time")])
        paper_figures.add(results, 1, "limits")
        self.assertAlmostEqual(results.figures["less.10.name"]["value"], 0.75)
        self.assertAlmostEqual(results.figures["less.10.time"]["value"], 0.0)
        self.assertAlmostEqual(results.figures["less.10.all"]["value"], 0.5)
        self.assertEqual(results.figures["less.10.all"]["goal"], "≥ 0.42: met")
        self.assertEqual(results.figures["cpuSeconds.10.all.hdfs-day"]["value"], 1.5)
        rows = results.tables[0]["rows"]
        self.assertEqual(rows[1], ["10", "name", "4.00", "1.00", "75% (?)", "75% to 75%", "21% to 42%"])
        self.assertEqual(rows[3][:2] + rows[3][-1:], ["10", "all", ""])

    def test_less_lies_in_its_spread_and_beside_the_papers(self):
        runs = [run for number, ours in enumerate((1, 1, 1, 1, 1, 9)) for run in both(number, 4.0, ours)]
        results = Results(runs)
        paper_figures.add(results, 1, "limits")
        less = results.figures["less.10.name"]
        self.assertTrue(less["spread"][0] <= less["value"] <= less["spread"][1], less)
        self.assertEqual(less["paper"], (0.21, 0.42))
        (plot,) = [plot for plot in results.plots if plot["name"] == "less"]
        self.assertEqual([series["name"] for series in plot["series"]], ["the paper, middle and range", "10 nodes"])
        self.assertIn("<svg", svg.draw(plot))

    def test_jobs_wait_from_their_arrival_until_they_begin(self):
        jobs = [[0.0, 0.0, 5.0, "a"], [1.0, 5.0, 6.0, "a"], [2.0, 6.0, 7.0, "a"]]
        self.assertEqual([paper_figures.queued(jobs, at) for at in (0.0, 1.0, 1.5, 2.5, 5.5, 6.0)], [0, 0, 1, 2, 1, 0])

    def test_a_job_that_begins_as_it_arrives_has_not_waited(self):
        self.assertEqual([paper_figures.queued([[1.0, 1.01, 2.0, "a"]], at) for at in (1.0, 1.005)], [0, 1])

    def test_a_queue_is_told_at_its_last_arrival(self):
        waits, flows = [[0, 0, 5, "a"], [1, 5, 9, "a"], [2, 9, 12, "a"]], [[0, 0, 1, "a"], [1, 1, 2, "a"], [2, 2, 3, "a"]]
        results = Results([*both(0, 4.0, 1.0), queue(STOCK, waits), queue(OURS, flows)])
        paper_figures.add(results, 1, "limits")
        last = {layout: results.figures[f"queue.last.{layout}"]["value"] for layout in (STOCK, OURS)}
        self.assertEqual(last, {STOCK: 1, OURS: 0})
        self.assertEqual([plot["name"] for plot in results.plots], ["times", "less", "queue"])
        self.assertEqual(results.tables[1]["rows"][0][-1], "all done after")

    def test_sizes(self):
        self.assertEqual(size_of(1), Size(10_000_000, 2_000, 100))
        self.assertEqual(size_of(0.02), Size(200_000, 200, 100))

    def test_a_command_runs_in_the_machines_group_and_namespace(self):
        command = Machines(2, 8, "/").command(2, ["java", "Main"])
        self.assertEqual(command[:2], ["sh", "-c"])
        self.assertTrue(command[3].endswith("/mpsr-bench-2/cgroup.procs"))
        self.assertEqual(command[4:], ["nsenter", "--net=/run/netns/mpsr-bench-2", "java", "Main"])


class SimulationTest(unittest.TestCase):
    """Jobs on clusters that are not there."""

    RATES = Rates(disk=4.0, network=2.0)

    def test_one_node_does_all_tasks_one_after_the_other(self):
        jobs = [(Kind(1.0, 3, 0.5, 2.0), lambda choice: [0])] * 2
        self.assertEqual(simulate(jobs, 1, 0.0, self.RATES, 1), [[0.0, 0.0, 4.0], [0.0, 4.0, 8.0]])

    def test_a_task_goes_elsewhere_when_that_ends_sooner(self):
        jobs = [(Kind(0.0, 2, 0.0, 4.0), lambda choice: [0])]
        # one disk: reading elsewhere, which takes 2 s and not 1, is no sooner
        self.assertEqual(simulate(jobs, 2, 0.0, self.RATES, 1), [[0.0, 0.0, 2.0]])
        jobs = [(Kind(0.0, 2, 3.0, 4.0), lambda choice: [0])]
        # at home 4 s each; the other node begins to read when the first has read, and ends after 1 + 2 + 3 s
        self.assertEqual(simulate(jobs, 2, 0.0, self.RATES, 1), [[0.0, 0.0, 6.0]])

    def test_a_disk_that_holds_all_bounds_a_cluster_of_any_size(self):
        jobs = [(Kind(0.0, 100, 0.0, 4.0), lambda choice: [0])]
        ((_, _, end),) = simulate(jobs, 50, 0.0, self.RATES, 1)
        self.assertGreaterEqual(end, 100)

    def test_jobs_wait_for_a_place(self):
        jobs = [(Kind(3.0, 1, 0.0, 0.0), lambda choice: [0])] * 3
        found = simulate(jobs, 2, 1.0, self.RATES, 1)
        self.assertEqual([each[1] for each in found], [0.0, 1.0, 3.0])

    def test_what_tasks_do_not_explain_is_fixed(self):
        runs = [{"seconds": 5.0, "tasks": 5, "cpuSeconds": 2.0, "bytes": 16 << 20}] * 2

        def alone(kind):
            return simulate([(kind, lambda choice: [0, 1])], 2, 0.0, self.RATES, 1)[0][2]

        kind = calibrated(runs, alone)
        self.assertEqual(kind, Kind(2.0, 4, 0.5, 4.0))
        self.assertEqual(alone(kind), 5.0)

    def test_with_more_nodes_one_signal_costs_the_same_and_a_scan_of_all_more_tasks(self):
        run = {"tasks": 10, "cpuSeconds": 1.0, "bytes": 1 << 20, "nodes": 10}
        runs = [{**each, **run} for kind in ("name", "time") for each in both(0, 2.0, 1.0, kind)]
        asked = {**queue(STOCK, [[0.0, 2.0, 3.0, "a"], [1.0, 4.0, 5.0, "a"]]), "asked": ["name", "time"]}
        capacity = {"kind": "capacity", "layout": STOCK, "nodes": 10, "perSecond": 1.0}
        results = Results([*runs, capacity, asked, *[{**run, "nodes": 4} for run in runs]])
        paper_scaling.add(results, Rates(4.0, 8.0), 1, cores=9, jobs=20)
        value = {name: figure["value"] for name, figure in results.figures.items()}
        self.assertLess(value["simulated.seconds.1000.mpsr"], value["simulated.seconds.1000.hdfs-day"])
        self.assertIn("Simulated, not measured", results.plots[0]["title"])
        # calibrated on ten nodes; a job on four is measured as long here, and told to be longer
        self.assertAlmostEqual(value["checked.seconds.10.hdfs-day"], 2.0)
        self.assertGreater(value["checked.seconds.4.hdfs-day"], 2.0)
        self.assertEqual(results.figures["checked.wait.10.hdfs-day"]["measured"], 2.5)
        self.assertEqual([row[:3] for row in results.tables[0]["rows"]][1], ["4", STOCK, "a job's mean seconds"])

    def test_nodes_that_share_cores_are_no_faster_than_these(self):
        runs = [job(STOCK, "name", 0, 9.0, tasks=9, cpuSeconds=8.0, bytes=0)]
        scaling = paper_scaling.Scaling(Results(runs), 10, Rates(4.0, 8.0), 1, cores=2)
        self.assertAlmostEqual(scaling.alone_measured(STOCK, "name", 10), 9.0)
        # 8 s of CPU on two cores take 4 s, 1 s where each node has its own
        self.assertAlmostEqual(scaling.alone(STOCK, "name", 10), 6.0)


class QueueTest(unittest.TestCase):
    """Jobs that queue."""

    def test_jobs_are_served_in_their_order_by_so_many_at_a_time(self):
        barrier, order = threading.Barrier(2), []

        def job(name, number):
            order.append(number)
            barrier.wait(10)  # goes on only when two are served at a time
            return f"{name}{number}"

        found = queue_run.run(job, [["j", number] for number in range(6)], 0.0, 2)["jobs"]
        self.assertEqual([each[3] for each in found], [f"j{number}" for number in range(6)])
        self.assertEqual(sorted(order), list(range(6)))
        self.assertTrue(all(each[0] <= each[1] <= each[2] for each in found))

    def test_a_job_that_fails_fails_all(self):
        def job(name, number):
            raise ValueError(f"{name} {number}")

        with self.assertRaisesRegex(ValueError, "j 0"):
            queue_run.run(job, [["j", number] for number in range(100)], 0.01, 1)
