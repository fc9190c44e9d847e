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
"""A Spark session that the test of DataNodes that fail talks to, as benchmarks do; one long job runs while the test does something else."""

import threading

from pyspark.sql import functions as F

from benchmarks.harness.spark.session import COLUMNS, Session, main


class FaultSession(Session):
    """Answers what a benchmark's session does, and begins a job, tells how far it is, and ends it."""

    def __init__(self, session):
        super().__init__(session)
        self._job = None
        self._found = None

    def stock(self, request):
        """Reads as without MPSR, or as with it again."""
        self._session.conf.set("spark.mpsr.enabled", not request["stock"])
        return {}

    def begin(self, request):
        """Begins one job that reads all of a dataset in each of several groups."""
        self._choose({})
        frames = [self._hashes(request["path"], group) for group in request["groups"]]
        whole = frames[0]
        for frame in frames[1:]:
            whole = whole.unionByName(frame)
        self._found = {}
        self._job = threading.Thread(target=self._run, args=(whole,), daemon=True)
        self._job.start()
        return {}

    def _hashes(self, path, group):
        read = self._session.read.parquet(path).hint("mpsr", group)
        return read.select(F.lit(group).alias("read"), F.expr(f"xxhash64({', '.join(COLUMNS)})").alias("hash"))

    def _run(self, whole):
        try:
            rows = whole.groupBy("read").agg(F.count("*").alias("n"), F.sum(F.expr("cast(hash AS decimal(38, 0))")).alias("digest"))
            self._found["groups"] = {row.read: {"records": row.n, "digest": str(row.digest)} for row in rows.collect()}
        except Exception as error:  # whatever it is, the test decides
            self._found["error"] = f"{type(error).__name__}: {str(error)[:3000]}"

    def progress(self, _):
        """How many tasks of the job are done, of how many that are known; whether it still runs."""
        tracker = self._session.sparkContext.statusTracker()
        jobs = [tracker.getJobInfo(job) for job in tracker.getActiveJobsIds()]
        stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        done, known = (sum(getattr(stage, name) for stage in stages if stage) for name in ("numCompletedTasks", "numTasks"))
        return {"tasks": done, "of": known, "runs": self._job.is_alive()}

    def end(self, _):
        """Waits for the end of the job; what it has found in each group."""
        self._job.join()
        return self._found


if __name__ == "__main__":
    main(FaultSession)
