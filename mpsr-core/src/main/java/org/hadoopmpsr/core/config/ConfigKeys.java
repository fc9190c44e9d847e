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
package org.hadoopmpsr.core.config;

import java.util.List;
import java.util.Locale;
import org.hadoopmpsr.core.group.Codec;

/**
 * Every key that MPSR reads from {@code hdfs-site.xml}, and those of MapReduce jobs. The reference page and the default
 * XML are made from this.
 */
public final class ConfigKeys {

    public static final ConfigKey GROUPS = new ConfigKey(
            "dfs.mpsr.replica.groups",
            "list of names",
            "",
            "The replica groups in order. Each holds a complete copy of every dataset, partitioned its own way."
                    + " Empty: MPSR is off and the cluster is a plain HDFS.");
    public static final ConfigKey PREDICATES = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.predicates",
            "list of predicates",
            "",
            "What the group's files are partitioned by: columns or year|month|day|hour(column), bucket(n, column),"
                    + " truncate(w, column), range(column, bound, ...). Required.");
    public static final ConfigKey SORT = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.sort",
            "list of columns",
            "",
            "The order of the records within a file. Empty: the predicates' columns.");
    public static final ConfigKey REPLICATION = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.replication",
            "number from 1",
            "1",
            "Copies of each block within the group, whatever a client asks for.");
    public static final ConfigKey CODEC = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.codec",
            "codec",
            "zstd:3",
            "How the group's files are compressed: zstd, zstd:<1-22>, snappy, lz4_raw, gzip or none.");
    public static final ConfigKey DEFAULT_GROUP = new ConfigKey(
            "dfs.mpsr.default.group",
            "name",
            "",
            "The group whose files lie in the dataset directory, where stock readers look. Empty: the first group.");
    public static final ConfigKey STORE_DIR = new ConfigKey(
            "dfs.mpsr.store.dir",
            "absolute path",
            "/.mpsr",
            "The directory that holds the other groups' files, the node allocation and staged commits.");
    public static final ConfigKey MAX_COMMIT_FILES = new ConfigKey(
            "dfs.mpsr.commit.max.files",
            "number from 1",
            "10000",
            "The most files that one commit may publish; bounds how long publishing holds the namesystem lock.");
    public static final ConfigKey STAGING_EXPIRY = new ConfigKey(
            "dfs.mpsr.staging.expiry.hours",
            "number from 1",
            "24",
            "Hours after which the staged files of a commit that was never published are deleted.");
    public static final ConfigKey DROP_DELAY = new ConfigKey(
            "dfs.mpsr.drop.delay.seconds",
            "number from 0",
            "3600",
            "Seconds for which the other groups' files of a dropped dataset can still be read, so that queries and jobs that"
                    + " were planned before go on. 0: they are deleted at once.");

    public static final ConfigKey MAX_WAITING_COMMITS = new ConfigKey(
            "dfs.mpsr.commit.max.waiting",
            "number from 1",
            "4",
            "The most commits that are published or wait for it at one time. Further writers are told to try again, and"
                    + " do so by themselves; so publishing never takes all of the NameNode's handlers.");
    public static final ConfigKey HEALTH_INTERVAL = new ConfigKey(
            "dfs.mpsr.health.interval.seconds",
            "number from 1",
            "60",
            "Seconds between two looks at all published files for those that changed or have lost their blocks; what is"
                    + " found shows in metrics and status. Planning does not wait for it.");

    public static final ConfigKey SAFE_MODE_QUIET = new ConfigKey(
            "dfs.mpsr.safemode.quiet.seconds",
            "number from 1",
            "30",
            "Seconds without any further block reported after which a NameNode that starts leaves safe mode although"
                    + " blocks are missing, when other groups hold all that they held.");

    public static final ConfigKey MAPREDUCE_ENABLED = new ConfigKey(
            "mpsr.mapreduce.enabled", "true or false", "true", "False: the job reads what it reads without MPSR.");
    public static final ConfigKey GROUP = new ConfigKey(
            "mpsr.group",
            "name",
            "",
            "The replica group that the job reads whatever it costs. Empty: the cheapest for its filter.");
    public static final ConfigKey COST_OPEN = new ConfigKey(
            "dfs.mpsr.cost.open.ms",
            "milliseconds from 0",
            "6",
            "Time to open a Parquet file and read its footer. This and the other costs are what planning weighs replica"
                    + " groups by; `hdfs mpsr calibrate` measures them.");
    public static final ConfigKey COST_DISK_PREPARE = new ConfigKey(
            "dfs.mpsr.cost.disk.prepare.ms",
            "milliseconds from 0",
            "2",
            "Time until a DataNode sends the first byte of a block to a reader on its own host.");
    public static final ConfigKey COST_DISK_RATE = new ConfigKey(
            "dfs.mpsr.cost.disk.mb.per.second",
            "megabytes (10^6 bytes) per second above 0",
            "200",
            "How fast a reader gets a block of a DataNode on its own host.");
    public static final ConfigKey COST_NETWORK_PREPARE = new ConfigKey(
            "dfs.mpsr.cost.network.prepare.ms",
            "milliseconds from 0",
            "1",
            "How much longer it takes until a DataNode on another host sends the first byte.");
    public static final ConfigKey COST_NETWORK_RATE = new ConfigKey(
            "dfs.mpsr.cost.network.mb.per.second",
            "megabytes (10^6 bytes) per second above 0",
            "110",
            "How fast the network is between two hosts.");
    public static final ConfigKey COST_DECOMPRESS = new ConfigKey(
            "dfs.mpsr.cost.decompress.<codec>.mb.per.second",
            "megabytes (10^6 bytes) per second above 0",
            "150",
            "How fast one core decompresses files of a codec (zstd, snappy, lz4_raw, gzip, none), counted in compressed bytes.");
    public static final ConfigKey COST_VALUES = new ConfigKey(
            "dfs.mpsr.cost.decode.million.values.per.second",
            "millions per second above 0",
            "30",
            "How fast one core decodes values, of each column one for a record, after they were decompressed.");
    public static final ConfigKey COST_PARALLELISM = new ConfigKey(
            "dfs.mpsr.cost.parallelism",
            "number from 1",
            "1",
            "How many tasks a reader runs at a time that does not say so (spark.mpsr.parallelism). With 1 the group is chosen that takes the least work in all, which is"
                    + " best for a cluster that is busy; with more, the one that answers soonest when a reader has that many"
                    + " cores for itself.");

    private ConfigKeys() {}

    /** The name of {@link #COST_DECOMPRESS} for a codec. */
    public static String costDecompress(Codec.Kind codec) {
        return COST_DECOMPRESS.name().replace("<codec>", codec.name().toLowerCase(Locale.ROOT));
    }

    /** The keys of a MapReduce job in the order of the reference page. */
    public static List<ConfigKey> ofJobs() {
        return List.of(MAPREDUCE_ENABLED, GROUP);
    }

    /** All keys of {@code hdfs-site.xml} in the order of the reference page. */
    public static List<ConfigKey> all() {
        return List.of(
                GROUPS,
                PREDICATES,
                SORT,
                REPLICATION,
                CODEC,
                DEFAULT_GROUP,
                STORE_DIR,
                MAX_COMMIT_FILES,
                MAX_WAITING_COMMITS,
                STAGING_EXPIRY,
                DROP_DELAY,
                HEALTH_INTERVAL,
                SAFE_MODE_QUIET,
                COST_OPEN,
                COST_DISK_PREPARE,
                COST_DISK_RATE,
                COST_NETWORK_PREPARE,
                COST_NETWORK_RATE,
                COST_DECOMPRESS,
                COST_VALUES,
                COST_PARALLELISM);
    }
}
