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
package org.hadoopmpsr.client.run;

/** The Spark jobs that keep a record of their runs. */
public enum JobKind {
    /** Merges small segments. */
    COMPACT("compact", "compaction", "merges", "replaced", "org.hadoopmpsr.spark.jobs.CompactDataset"),
    /** Writes damaged files anew. */
    REBUILD("rebuild", "rebuild", "changes", "rebuilt", "org.hadoopmpsr.spark.jobs.RebuildDataset"),
    /** Takes files of ordinary writers for segments, and writes them in all groups. */
    ADOPT("adopt", "adoption", "changes", "adopted", "org.hadoopmpsr.spark.jobs.AdoptDataset"),
    /** Turns directories with files into datasets, and adopts the files. */
    ADOPT_DIRECTORY("dataset adopt", "adoption", "changes", "adopted", "org.hadoopmpsr.spark.jobs.AdoptDirectory"),
    /** Repairs what somebody has changed by hand. */
    REPAIR("repair", "repair", "changes", "repaired", "org.hadoopmpsr.spark.jobs.RepairDataset"),
    /** Takes records away. */
    DELETE("dataset delete", "deletion", "changes", "replaced", "org.hadoopmpsr.spark.jobs.DeleteRecords"),
    /** Brings earlier states back. */
    ROLLBACK("dataset rollback", "rollback", "changes", "changed", "org.hadoopmpsr.spark.jobs.RollbackDataset"),
    /** Reads segments to find out what they hold; changes nothing. */
    VERIFY("verify", "verification", "changes", "read", "org.hadoopmpsr.spark.jobs.VerifyDataset"),
    /** Reads segments that were not read for long, and heals them. */
    SCRUB("scrub", "scrub", "changes", "healed", "org.hadoopmpsr.spark.jobs.ScrubDataset"),
    /** Reduces records to few numbers; changes nothing. */
    QUERY("query", "query", "changes", "read", "org.hadoopmpsr.spark.jobs.QueryDataset"),
    /** Looks at samples of the files of directory trees; changes nothing. */
    SURVEY("survey", "survey", "changes", "read", "org.hadoopmpsr.spark.jobs.SurveyTrees"),
    /** Advises replica groups for directories that are no datasets; changes nothing. */
    ADVISE("advise", "advice", "changes", "read", "org.hadoopmpsr.spark.jobs.AdviseDirectory"),
    /** Learns settings from measured runs; changes nothing. */
    TUNE("tune", "tuning", "changes", "read", "org.hadoopmpsr.spark.jobs.TuneSettings");

    private final String command;
    private final String noun;
    private final String changes;
    private final String segments;
    private final String jobClass;

    JobKind(String command, String noun, String changes, String segments, String jobClass) {
        this.command = command;
        this.noun = noun;
        this.changes = changes;
        this.segments = segments;
        this.jobClass = jobClass;
    }

    /** The command of {@code hdfs mpsr} that starts it. */
    public String command() {
        return command;
    }

    /** The directory of the records of runs, below {@code .mpsr} of the user's home directory. */
    public String directory() {
        return command.substring(command.lastIndexOf(' ') + 1);
    }

    /** What a run is called in messages. */
    public String noun() {
        return noun;
    }

    /** What its changes are called. */
    public String changes() {
        return changes;
    }

    /** What becomes of segments. */
    public String segments() {
        return segments;
    }

    /** The class that {@code spark-submit} runs. */
    public String jobClass() {
        return jobClass;
    }
}
