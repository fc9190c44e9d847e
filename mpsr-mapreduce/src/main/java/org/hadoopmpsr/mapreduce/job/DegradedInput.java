/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.mapreduce.job;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.hadoopmpsr.client.degraded.PlannedFileSystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.mapreduce.task.OldPlannedInputFormat;
import org.hadoopmpsr.mapreduce.task.PlannedFile;
import org.hadoopmpsr.mapreduce.task.PlannedInputFormat;
import org.slf4j.Logger;

/** Prepares the maps of a job to read planned files that they cannot read from other groups. */
final class DegradedInput {
    private static final Logger LOG = PrintableLog.of(DegradedInput.class);

    private DegradedInput() {}

    /**
     * Changes the job's configuration, and brings MPSR's classes to the tasks.
     *
     * @param planned the planned files that the job reads
     * @return those whose splits have to tell the plan; none where maps read as without MPSR, and the log says why
     */
    static Map<Path, PlannedFile> prepare(StagedJob job, Map<Path, PlannedFile> planned) {
        JobConf conf = job.conf();
        if (planned.isEmpty() || !conf.getBoolean(ConfigKeys.DEGRADED.name(), true)) {
            return Map.of();
        }
        ShippedJar jar = new ShippedJar(conf);
        Optional<String> problem = jar.problem();
        if (problem.isEmpty()) {
            try {
                job.ship(jar);
            } catch (IOException e) {
                problem = Optional.of("the jar of MPSR cannot be written to the staging directory: " + e);
            }
        }
        if (problem.isPresent()) {
            LOG.info("A map of {} that cannot read a file fails as without MPSR: {}", job.name(), problem.get());
            return Map.of();
        }
        String key = JobInput.formatKey(conf);
        Class<?> format = conf.getUseNewMapper() ? PlannedInputFormat.class : OldPlannedInputFormat.class;
        conf.set(PlannedInputFormat.OF_JOB, conf.get(key));
        conf.set(key, format.getName());
        PlannedFileSystem.addTo(conf, ConfigKeys.degradedTimeoutMs(conf::get));
        return planned;
    }
}
