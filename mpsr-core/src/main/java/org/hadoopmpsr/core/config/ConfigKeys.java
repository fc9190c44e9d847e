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
import java.util.function.Function;
import org.hadoopmpsr.core.group.Codec;
import org.jspecify.annotations.Nullable;

/**
 * All keys that MPSR reads from {@code hdfs-site.xml}, and all keys of MapReduce jobs. {@link ConfigReference} generates the
 * reference page and the default XML from this class.
 */
public final class ConfigKeys {

    public static final ConfigKey GROUPS = new ConfigKey(
            "dfs.mpsr.replica.groups",
            "list of names",
            "",
            "The replica groups, in order. Each group holds a complete copy of every dataset, with a"
                    + " partitioning of its own. If empty, MPSR is off and the cluster is a plain HDFS.");
    public static final ConfigKey PREDICATES = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.predicates",
            "list of predicates",
            "",
            "The columns or column transforms by which the group's files are partitioned: column,"
                    + " year|month|day|hour(column), bucket(n, column), truncate(w, column), bits(n, column) or range(column, bound,"
                    + " ...). A name that is not of letters, digits and underscores stands in backticks: bucket(64,"
                    + " `signal name`). In the place of a column may be a field of a struct: pos.x, or pos.`x y` with a"
                    + " name in backticks; its directories are pos_x=.... A column that has a dot in its own name is in"
                    + " backticks as a whole: `pos.x`. Every dataset needs these columns. Required.");
    public static final ConfigKey SORT = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.sort",
            "list of columns or bits",
            "",
            "The columns by which the records of a file are sorted. If empty, the predicates' columns. Names, and"
                    + " fields of structs, are written as in predicates. In the place of a column may be bits(n, column):"
                    + " the leading n bits of a number, 2 to 32, as in predicates. Records with equal bits are then"
                    + " sorted by what follows.");
    public static final ConfigKey REPLICATION = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.replication",
            "number from 1",
            "1",
            "The number of copies of each block within the group. The replication that a client asks for"
                    + " is ignored.");
    public static final ConfigKey GROUP_SEGMENT_NODES = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.segment.nodes",
            "number from 0, or all",
            "0",
            "As dfs.mpsr.segment.nodes, for one group. 0 means the value of that key.");
    public static final ConfigKey CODEC = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.codec",
            "codec, or list",
            "zstd:3",
            "The compression of the group's files: zstd, zstd:<1-22>, snappy, lz4_raw, gzip, gzip:<1-9>, none or auto, which chooses one"
                    + " for each column from what it measures. Some columns"
                    + " may have another one: zstd:3, value=zstd:9, `raw counts`=none. A column that a dataset lacks makes no"
                    + " difference to it.");
    public static final ConfigKey TRANSFORM = new ConfigKey(
            "dfs.mpsr.replica.group.<g>.transform.<column>",
            "transform",
            "",
            "The form in which the group's files hold a column, as name or name:parameters: planes:16,16,32 holds the bits of floating point"
                    + " numbers in planes; approximate:abs=0.01 holds the column and whole numbers that give its values with such an"
                    + " error; lossy:abs=0.001 holds values with such an error alone, beside two other groups that hold them"
                    + " exactly; identity is as without the key. Not for the default group, and not for columns by which the group"
                    + " divides or sorts records. A column that a dataset lacks makes no difference to it. A name that is not plain stands in"
                    + " the key without backticks.");
    public static final ConfigKey SEGMENT_NODES = new ConfigKey(
            "dfs.mpsr.segment.nodes",
            "number from 0, or all",
            "0",
            "The number of nodes of a group over which the files of one segment (a commit, or commits that were merged) are"
                    + " spread. With few nodes, a node that is lost is rebuilt by reading little more than what was lost, and"
                    + " fewer records are lost if several nodes are. With more nodes, a query of one segment reads from more"
                    + " disks at a time. `all` spreads each block over all nodes of the group. 0 means "
                    + ScatterWidths.DEFAULT.text()
                    + ".");
    public static final ConfigKey DEFAULT_GROUP = new ConfigKey(
            "dfs.mpsr.default.group",
            "name",
            "",
            "The group whose files lie in the dataset directory, where stock readers look. If empty, the"
                    + " first group.");
    public static final ConfigKey STORE_DIR = new ConfigKey(
            "dfs.mpsr.store.dir",
            "absolute path",
            "/.mpsr",
            "The directory that holds the other groups' files, the allocation of nodes, and staged" + " commits.");
    public static final ConfigKey MAX_COMMIT_FILES = new ConfigKey(
            "dfs.mpsr.commit.max.files",
            "number from 1",
            "10000",
            "The maximum number of files in one commit. The NameNode looks at all of them once more in the hold of the"
                    + " namesystem lock that commits.");
    public static final ConfigKey STAGING_EXPIRY = new ConfigKey(
            "dfs.mpsr.staging.expiry.hours",
            "number from 1",
            "24",
            "Staged files of an unpublished commit are deleted this many hours after their last change.");
    public static final ConfigKey EMPTY_STAGING_EXPIRY = new ConfigKey(
            "dfs.mpsr.staging.empty.expiry.minutes",
            "number from 1",
            "10",
            "The staging directory of an unpublished commit in which no file was made is deleted this many minutes after its"
                    + " last change.");
    public static final ConfigKey MAX_OPEN_COMMITS = new ConfigKey(
            "dfs.mpsr.commit.max.open.per.dataset",
            "number from 1",
            "1000",
            "The most commits of one dataset that are begun and neither published nor aborted. The NameNode tells further"
                    + " writers to try again.");
    public static final ConfigKey MAX_OPEN_COMMITS_OF_USER = new ConfigKey(
            "dfs.mpsr.commit.max.open.per.user",
            "number from 1",
            "5000",
            "The most commits of one user, in all datasets, that are begun and neither published nor aborted. The NameNode"
                    + " tells the user's further writers to try again.");
    public static final ConfigKey DROP_DELAY = new ConfigKey(
            "dfs.mpsr.drop.delay.seconds",
            "number from 0",
            "3600",
            "After a dataset is dropped, the other groups' files stay readable for this many seconds."
                    + " Queries and jobs that were planned before the drop can finish. Then the files are deleted, but"
                    + " not before HDFS has made all copies of the default group's files.");

    public static final ConfigKey HISTORY = new ConfigKey(
            "dfs.mpsr.history.seconds",
            "number from 0",
            "0",
            "Files that a merge, a delete or another change has replaced are kept for this many seconds after it, and"
                    + " earlier states of datasets can be read for as long. They are kept for at least"
                    + " dfs.mpsr.drop.delay.seconds. A dataset can say another time: hdfs mpsr dataset history --keep.");

    public static final ConfigKey MAX_WAITING_COMMITS = new ConfigKey(
            "dfs.mpsr.commit.max.waiting",
            "number from 1",
            "4",
            "The maximum number of commits that are being published or wait for it at one time. The"
                    + " NameNode tells further writers to try again, and they do so by themselves. Publishing"
                    + " therefore never takes all of the NameNode's handlers.");
    public static final ConfigKey MAX_CALL_BYTES = new ConfigKey(
            "dfs.mpsr.call.max.bytes",
            "number from 1024",
            "33554432",
            "The most bytes of one call to MPSR. The NameNode refuses a larger call before it builds the message, which"
                    + " takes several times as much memory. A call may have one part, such as a column's statistics, for"
                    + " every 16 bytes of this limit. A publish of many files with statistics of many columns is the"
                    + " largest call.");
    public static final ConfigKey MAX_FILTER_VALUES = new ConfigKey(
            "dfs.mpsr.plan.max.values",
            "number from 1",
            "10000",
            "The most values that a filter, and names that any other list of a call, may have when a read is planned. The"
                    + " NameNode refuses a call with more. Spark and MapReduce send a filter of at most 10,000 values;"
                    + " longer lists do not prune.");
    public static final ConfigKey MAX_CALLS = new ConfigKey(
            "dfs.mpsr.call.max.concurrent",
            "number from 0",
            "0",
            "The most calls to MPSR that the NameNode carries out at one time. Further callers are told to try again, and"
                    + " they do so by themselves. The other handlers stay free for HDFS. 0 means three quarters of"
                    + " dfs.namenode.handler.count.");
    public static final ConfigKey MAX_USER_CALLS = new ConfigKey(
            "dfs.mpsr.call.max.per.user",
            "number from 0",
            "0",
            "The most calls to MPSR of one user that the NameNode carries out at one time. 0 means half of"
                    + " dfs.namenode.handler.count.");
    public static final ConfigKey CALL_HEAP = new ConfigKey(
            "dfs.mpsr.call.heap.percent",
            "number from 1 to 50",
            "20",
            "The share of the NameNode's heap, in percent, that all calls to MPSR may take at one time. A call counts with"
                    + " an estimate of its message and its answer. A call that finds no room is told to try again; one that"
                    + " takes more than the whole share is refused.");
    public static final ConfigKey MAX_PAGE_BYTES = new ConfigKey(
            "dfs.mpsr.page.max.bytes",
            "number from 1024",
            "2097152",
            "About how many bytes the files of one page of a plan, or the datasets of one page of a list, may have. A longer"
                    + " answer has more pages, for which the client asks by itself.");
    public static final ConfigKey MAX_PLAN_MS = new ConfigKey(
            "dfs.mpsr.plan.max.ms",
            "number from 1",
            "10000",
            "The maximum time in milliseconds to plan a read. When it is over, the NameNode stops the work, and the reader"
                    + " reads the default group as stock.");
    public static final ConfigKey WORKLOAD_CLASSES = new ConfigKey(
            "dfs.mpsr.workload.classes",
            "number from 0 to 10000",
            "1000",
            "The most classes of queries that the NameNode keeps in memory for hdfs mpsr workload, a few kilobytes each, and at most"
                    + " a quarter of them for one dataset. A class without room takes the place of the rarest one. 0 keeps"
                    + " none.");
    public static final ConfigKey WORKLOAD_LITERALS = new ConfigKey(
            "dfs.mpsr.workload.literals",
            "true or false",
            "false",
            "If true, the workload keeps for each class the filter of its last query with its values, and shows them to everybody"
                    + " who may read the dataset. If false, it keeps no value that a query asks for.");
    public static final ConfigKey ELASTIC_BUDGET = new ConfigKey(
            "dfs.mpsr.elastic.budget.percent",
            "number from 0 to 100",
            "0",
            "The most bytes of further copies that files which are read much get within their group, in percent of the bytes of all"
                    + " files in their groups' numbers of copies. A file has at most one copy less than its group has nodes in"
                    + " service. 0 means no further copies; those that are there are deleted.");
    public static final ConfigKey ELASTIC_QUERIES = new ConfigKey(
            "dfs.mpsr.elastic.queries.per.copy",
            "number from 1",
            "100",
            "A file gets a further copy for each so many queries that read it, of those that still count. It gives the copy back"
                    + " when half as many count.");
    public static final ConfigKey ELASTIC_HALF_LIFE = new ConfigKey(
            "dfs.mpsr.elastic.half.life.minutes",
            "number from 1",
            "60",
            "A query counts half for further copies after so many minutes, a quarter after twice as many.");
    public static final ConfigKey ELASTIC_RATE = new ConfigKey(
            "dfs.mpsr.elastic.mb.per.second",
            "number from 0",
            "20",
            "The most megabytes (10^6 bytes) of further copies that are begun in a second, on average. 0 means no limit.");
    public static final ConfigKey HEALTH_INTERVAL = new ConfigKey(
            "dfs.mpsr.health.interval.seconds",
            "number from 1",
            "60",
            "The time in seconds between two checks of all published files. A check finds files that"
                    + " changed or lost their blocks, and reports them in metrics and status. Planning does not"
                    + " wait for a check.");

    public static final ConfigKey SAFE_MODE_QUIET = new ConfigKey(
            "dfs.mpsr.safemode.quiet.seconds",
            "number from 1",
            "30",
            "At startup, if no new block has been reported for this many seconds and every missing"
                    + " block's records exist in another group, the NameNode leaves safe mode.");

    public static final ConfigKey REBUILD_DELAY = new ConfigKey(
            "dfs.mpsr.rebuild.delay.seconds",
            "number from 0",
            "600",
            "The time in seconds for which damage of a segment must have been seen before it is due to be rebuilt. A DataNode"
                    + " that restarts meanwhile brings the files back.");

    public static final ConfigKey SCRUB_PERIOD_DAYS = new ConfigKey(
            "dfs.mpsr.scrub.period.days",
            "number from 1",
            "30",
            "Maintenance reads every segment in every group once in so many days, and heals what is wrong. To write a segment counts"
                    + " as reading it.");
    public static final ConfigKey SCRUB_RATE = new ConfigKey(
            "dfs.mpsr.scrub.mb.per.second",
            "number from 0",
            "20",
            "The most megabytes that a scrub reads in a second, in one dataset. 0 switches scrubbing by maintenance off.");

    public static final ConfigKey MAINTENANCE_ENABLED = new ConfigKey(
            "dfs.mpsr.maintenance.enabled",
            "true or false",
            "true",
            "If false, the NameNode tells every `hdfs mpsr maintain` to wait, and no maintenance runs.");
    public static final ConfigKey MAINTENANCE_PRINCIPAL = new ConfigKey(
            "dfs.mpsr.maintenance.kerberos.principal",
            "Kerberos principal",
            "",
            "The principal as which `hdfs mpsr maintain` runs, a superuser of HDFS. `_HOST` becomes the host's name. Needs"
                    + " dfs.mpsr.maintenance.keytab.file. If empty, the command runs as the user of the ticket cache.");
    public static final ConfigKey MAINTENANCE_KEYTAB = new ConfigKey(
            "dfs.mpsr.maintenance.keytab.file",
            "file",
            "",
            "The keytab of dfs.mpsr.maintenance.kerberos.principal on the host on which `hdfs mpsr maintain` runs. The Spark"
                    + " jobs get it too.");

    public static final ConfigKey MAPREDUCE_ENABLED = new ConfigKey(
            "mpsr.mapreduce.enabled", "true or false", "true", "If false, the job reads what it reads without MPSR.");
    public static final ConfigKey GROUP = new ConfigKey(
            "mpsr.group",
            "name",
            "",
            "The replica group that the job reads, whatever the cost. If empty, the cheapest group for"
                    + " the job's filter.");
    public static final ConfigKey DEGRADED = new ConfigKey(
            "mpsr.degraded",
            "true or false",
            "true",
            "If false, a map that cannot read a planned file fails as without MPSR. If true, it reads the records from another"
                    + " group.");
    public static final ConfigKey DEGRADED_TIMEOUT = new ConfigKey(
            "mpsr.degraded.timeout.ms",
            "milliseconds from 1",
            "4000",
            "A DataNode that does not answer a map for so long is given up. The first job that a process runs decides.");
    public static final ConfigKey COST_OPEN = new ConfigKey(
            "dfs.mpsr.cost.open.ms",
            "milliseconds from 0",
            "6",
            "The time to open a Parquet file and read its footer. Planning compares replica groups by"
                    + " this and the other costs. `hdfs mpsr calibrate` measures them.");
    public static final ConfigKey COST_DISK_PREPARE = new ConfigKey(
            "dfs.mpsr.cost.disk.prepare.ms",
            "milliseconds from 0",
            "2",
            "The time until a DataNode sends the first byte of a block to a reader on the DataNode's own" + " host.");
    public static final ConfigKey COST_DISK_RATE = new ConfigKey(
            "dfs.mpsr.cost.disk.mb.per.second",
            "megabytes (10^6 bytes) per second above 0",
            "200",
            "The rate at which a reader receives a block from a DataNode on the reader's own host.");
    public static final ConfigKey COST_NETWORK_PREPARE = new ConfigKey(
            "dfs.mpsr.cost.network.prepare.ms",
            "milliseconds from 0",
            "1",
            "The additional time until the first byte when the DataNode is on another host.");
    public static final ConfigKey COST_NETWORK_RATE = new ConfigKey(
            "dfs.mpsr.cost.network.mb.per.second",
            "megabytes (10^6 bytes) per second above 0",
            "110",
            "The network rate between two hosts.");
    public static final ConfigKey COST_DECOMPRESS = new ConfigKey(
            "dfs.mpsr.cost.decompress.<codec>.mb.per.second",
            "megabytes (10^6 bytes) per second above 0",
            "150",
            "The rate at which one core decompresses files of a codec (zstd, snappy, lz4_raw, gzip,"
                    + " none), in compressed bytes.");
    public static final ConfigKey COST_VALUES = new ConfigKey(
            "dfs.mpsr.cost.decode.million.values.per.second",
            "millions per second above 0",
            "30",
            "The rate at which one core decodes values after decompression. Each record counts as one"
                    + " value per column.");
    public static final ConfigKey COST_SLOW_NODE = new ConfigKey(
            "dfs.mpsr.cost.slow.node.factor",
            "number from 1",
            "4",
            "How much longer reads from a DataNode take that HDFS reports as slow"
                    + " (`dfs.datanode.peer.stats.enabled`). Planning takes another group where that answers"
                    + " sooner. With 1, slow DataNodes count as all others.");
    public static final ConfigKey COST_PARALLELISM = new ConfigKey(
            "dfs.mpsr.cost.parallelism",
            "number from 1",
            "1",
            "The number of tasks that a reader runs at a time, for readers that do not state it"
                    + " (spark.mpsr.parallelism). With 1, planning chooses the group with the least total work,"
                    + " which is best for a busy cluster. With more, planning chooses the group that answers"
                    + " soonest when a reader has that many cores for itself.");

    private ConfigKeys() {}

    /** The name of the key {@link #COST_DECOMPRESS} for one codec. */
    public static String costDecompress(Codec.Kind codec) {
        return COST_DECOMPRESS.name().replace("<codec>", codec.name().toLowerCase(Locale.ROOT));
    }

    /**
     * After so many milliseconds without an answer, a map gives up a DataNode.
     *
     * @param values gives the value of a key, null if it has none
     * @throws NumberFormatException if the value is no number
     */
    public static int degradedTimeoutMs(Function<String, @Nullable String> values) {
        String value = values.apply(DEGRADED_TIMEOUT.name());
        return Integer.parseInt(value == null ? DEGRADED_TIMEOUT.defaultValue() : value.trim());
    }

    /** The keys of the process that maintains the cluster, in the order of the reference page. */
    public static List<ConfigKey> ofMaintenance() {
        return List.of(MAINTENANCE_PRINCIPAL, MAINTENANCE_KEYTAB, SCRUB_PERIOD_DAYS, SCRUB_RATE);
    }

    /** The keys of a MapReduce job in the order of the reference page. */
    public static List<ConfigKey> ofJobs() {
        return List.of(MAPREDUCE_ENABLED, GROUP, DEGRADED, DEGRADED_TIMEOUT);
    }

    /** All keys of {@code hdfs-site.xml} in the order of the reference page. */
    public static List<ConfigKey> all() {
        return List.of(
                GROUPS,
                PREDICATES,
                SORT,
                REPLICATION,
                GROUP_SEGMENT_NODES,
                CODEC,
                TRANSFORM,
                SEGMENT_NODES,
                DEFAULT_GROUP,
                STORE_DIR,
                MAX_COMMIT_FILES,
                MAX_WAITING_COMMITS,
                MAX_CALL_BYTES,
                MAX_FILTER_VALUES,
                MAX_CALLS,
                MAX_USER_CALLS,
                CALL_HEAP,
                MAX_PAGE_BYTES,
                MAX_PLAN_MS,
                STAGING_EXPIRY,
                EMPTY_STAGING_EXPIRY,
                MAX_OPEN_COMMITS,
                MAX_OPEN_COMMITS_OF_USER,
                DROP_DELAY,
                HISTORY,
                WORKLOAD_CLASSES,
                WORKLOAD_LITERALS,
                ELASTIC_BUDGET,
                ELASTIC_QUERIES,
                ELASTIC_HALF_LIFE,
                ELASTIC_RATE,
                HEALTH_INTERVAL,
                SAFE_MODE_QUIET,
                REBUILD_DELAY,
                MAINTENANCE_ENABLED,
                COST_OPEN,
                COST_DISK_PREPARE,
                COST_DISK_RATE,
                COST_NETWORK_PREPARE,
                COST_NETWORK_RATE,
                COST_DECOMPRESS,
                COST_VALUES,
                COST_SLOW_NODE,
                COST_PARALLELISM);
    }
}
