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
package org.hadoopmpsr.benchmarks.ingest;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/** What the plain sink is told. Immutable. */
final class ParquetSinkConfig extends AbstractConfig {
    private static final String DIRECTORY = "parquet.directory";
    private static final String HADOOP_CONF_DIR = "parquet.hadoop.conf.dir";
    private static final String PARTITION_FIELD = "parquet.partition.field";
    private static final String FLUSH_RECORDS = "parquet.flush.records";
    private static final String FLUSH_INTERVAL_MS = "parquet.flush.interval.ms";

    static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    DIRECTORY,
                    Type.STRING,
                    Importance.HIGH,
                    "Where the files go, with the file system, such as hdfs://namenode:8020/archive.")
            .define(HADOOP_CONF_DIR, Type.STRING, Importance.HIGH, "A directory with core-site.xml and hdfs-site.xml.")
            .define(
                    PARTITION_FIELD,
                    Type.STRING,
                    Importance.HIGH,
                    "The field of the records, a date, that names the directories: field=2014-05-01.")
            .define(
                    FLUSH_RECORDS,
                    Type.INT,
                    1_000_000,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "Records of a topic-partition at which its files are closed.")
            .define(
                    FLUSH_INTERVAL_MS,
                    Type.LONG,
                    60_000L,
                    Range.atLeast(1),
                    Importance.MEDIUM,
                    "The age in milliseconds at which the files of a topic-partition are closed.");

    ParquetSinkConfig(Map<String, String> properties) {
        super(DEFINITION, properties);
    }

    String directory() {
        return getString(DIRECTORY);
    }

    String partitionField() {
        return getString(PARTITION_FIELD);
    }

    int flushRecords() {
        return getInt(FLUSH_RECORDS);
    }

    long flushIntervalMs() {
        return getLong(FLUSH_INTERVAL_MS);
    }

    /** Hadoop's configuration, for one task. */
    Configuration hadoop() {
        Configuration conf = new Configuration();
        conf.setClassLoader(getClass().getClassLoader());
        for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
            conf.addResource(new org.apache.hadoop.fs.Path(
                    Path.of(getString(HADOOP_CONF_DIR), name).toUri()));
        }
        return conf;
    }
}
