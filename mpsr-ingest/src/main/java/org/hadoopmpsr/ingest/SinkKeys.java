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
package org.hadoopmpsr.ingest;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.hadoopmpsr.core.text.PrintableText;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.file.AllowedPaths;

/** The connector's keys, each once, with its type, default, range and meaning. */
final class SinkKeys {
    static final String DATASET = "mpsr.dataset";
    static final String FS_URI = "mpsr.fs.uri";
    static final String HADOOP_CONF_DIR = "mpsr.hadoop.conf.dir";
    static final String FORMAT = "mpsr.format";
    static final String PROTOBUF_DESCRIPTOR = "mpsr.protobuf.descriptor";
    static final String PROTOBUF_MESSAGE = "mpsr.protobuf.message";
    static final String AVRO_SCHEMAS = "mpsr.avro.schemas";
    static final String AVRO_ENCODING = "mpsr.avro.encoding";
    static final String COLUMNS = "mpsr.columns";
    static final String FLUSH_RECORDS = "mpsr.flush.records";
    static final String FLUSH_BYTES = "mpsr.flush.bytes";
    static final String FLUSH_INTERVAL_MS = "mpsr.flush.interval.ms";
    static final String RETRY_BACKOFF_MS = "mpsr.retry.backoff.ms";
    static final String WRITER_THREADS = "mpsr.writer.threads";
    static final String OFFSET_GAP = "mpsr.offset.gap";
    static final String WORKER_BUFFER_BYTES = "mpsr.worker.buffer.bytes";
    static final String TOPIC_PREFIX = "mpsr.topic.";

    static final ConfigDef DEFINITION = define();

    /** What each topic may have a value of its own for, below {@link #TOPIC_PREFIX}. */
    static final List<String> OF_TOPICS =
            List.of(DATASET, FORMAT, PROTOBUF_DESCRIPTOR, PROTOBUF_MESSAGE, AVRO_SCHEMAS, AVRO_ENCODING, COLUMNS);

    private SinkKeys() {}

    private static ConfigDef define() {
        ConfigDef def = new ConfigDef();
        defineTarget(def);
        defineFormat(def);
        defineFlush(def);
        def.define(
                OFFSET_GAP,
                Type.STRING,
                "fail",
                ConfigDef.CaseInsensitiveValidString.in("fail", "skip"),
                Importance.MEDIUM,
                "What to do when Kafka lacks records that are not committed yet: fail (stop with an error) or skip (go"
                        + " on with the next record, and warn).");
        return def;
    }

    private static void defineTarget(ConfigDef def) {
        def.define(
                DATASET,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                ConfigDef.LambdaValidator.with(SinkKeys::checkPath, () -> "an absolute path"),
                Importance.HIGH,
                "The path of the dataset, without scheme, such as /cals/meas. In it, ${topic} stands for the name of"
                        + " the topic. A key such as mpsr.topic.TOPIC.dataset or mpsr.topic.TOPIC.protobuf.message sets a"
                        + " value for one topic; it overrides the key without topic. The records of all topics of a"
                        + " dataset are committed together.");
        def.define(
                FS_URI,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                ConfigDef.LambdaValidator.with(SinkKeys::checkFsUri, () -> "hdfs://HOST:PORT or hdfs://NAMESERVICE"),
                Importance.HIGH,
                "The file system of the dataset: hdfs://namenode:8020, or hdfs://nameservice where"
                        + " mpsr.hadoop.conf.dir describes the nameservice.");
        def.define(
                HADOOP_CONF_DIR,
                Type.STRING,
                "",
                Importance.MEDIUM,
                "A directory on each worker with core-site.xml or hdfs-site.xml, at or below one that the worker's system"
                        + " property " + AllowedPaths.PROPERTY + " names. A nameservice and Kerberos need it.");
    }

    private static void defineFormat(ConfigDef def) {
        def.define(
                FORMAT,
                Type.STRING,
                "protobuf",
                ConfigDef.CaseInsensitiveValidString.in("protobuf", "json", "avro", "connect"),
                Importance.HIGH,
                "The format of the messages. protobuf, json (one object in each message) and avro are read from the"
                        + " bytes of the message and need"
                        + " value.converter=org.apache.kafka.connect.converters.ByteArrayConverter. connect takes what any"
                        + " other converter makes.");
        def.define(
                PROTOBUF_DESCRIPTOR,
                Type.STRING,
                "",
                Importance.HIGH,
                "A regular file on each worker that describes the messages, below a directory that the worker's system"
                        + " property " + AllowedPaths.PROPERTY + " names; protoc --include_imports"
                        + " --descriptor_set_out=FILE writes it. At most 16 MiB.");
        def.define(
                PROTOBUF_MESSAGE, Type.STRING, "", Importance.HIGH, "The full name of the message, with the package.");
        def.define(
                AVRO_SCHEMAS,
                Type.LIST,
                "",
                Importance.HIGH,
                "Regular files on each worker, each with one Avro schema that records are written with, below a"
                        + " directory that the worker's system property " + AllowedPaths.PROPERTY + " names. Records"
                        + " without a header are read with the first schema. At most 16 MiB each.");
        def.define(
                AVRO_ENCODING,
                Type.STRING,
                "binary",
                ConfigDef.CaseInsensitiveValidString.in("binary", "single-object", "container"),
                Importance.MEDIUM,
                "How Avro records are written: binary (the record alone), single-object (the record behind Avro's"
                        + " header, which names one of the schemas) or container (an object container file of one record;"
                        + " the file holds the schema).");
        def.define(
                COLUMNS,
                Type.LIST,
                "",
                ConfigDef.LambdaValidator.with(
                        SinkKeys::checkColumns, () -> "column=path [as unit] [default value], ..."),
                Importance.MEDIUM,
                "Which field fills a column, as column=path, separated by commas. By default the field of the column's"
                        + " name does, in any case. A path joins the names of nested fields and the keys of maps by dots,"
                        + " with the positions of array elements in brackets: head.device, readings[0].value. A name with a blank,"
                        + " a dot, a bracket or an equals sign stands in backticks: `signal name`=head.`device name`."
                        + " 'as millis'"
                        + " (days, seconds, millis, micros, nanos) says what a number counts since 1970; a number that"
                        + " fills a date or a timestamp needs it. 'default x' is the value where a record lacks the"
                        + " field.");
    }

    private static void defineFlush(ConfigDef def) {
        def.define(
                FLUSH_RECORDS,
                Type.INT,
                10_000_000,
                Range.between(1, 100_000_000),
                Importance.MEDIUM,
                "A task commits when it has buffered this many records. More records make fewer and larger files.");
        def.define(
                FLUSH_BYTES,
                Type.LONG,
                512L << 20,
                Range.between(1L << 16, 1L << 40),
                Importance.MEDIUM,
                "A task commits when its buffer takes this many bytes. Writing takes about half as much again.");
        def.define(
                WORKER_BUFFER_BYTES,
                Type.LONG,
                0L,
                Range.between(0L, 1L << 40),
                Importance.MEDIUM,
                "Memory limit in bytes for all tasks of a worker. Above it, tasks that hold at least the average"
                        + " commit and free their buffers. 0 means 40 % of the heap.");
        def.define(
                FLUSH_INTERVAL_MS,
                Type.LONG,
                300_000L,
                Range.between(1L, 86_400_000L),
                Importance.MEDIUM,
                "A buffered record is committed after this many milliseconds at the latest. A longer time makes fewer"
                        + " and larger files.");
        def.define(
                RETRY_BACKOFF_MS,
                Type.LONG,
                5_000L,
                Range.between(1L, 3_600_000L),
                Importance.LOW,
                "The time in milliseconds between two attempts while HDFS cannot be written.");
        def.define(
                WRITER_THREADS,
                Type.INT,
                4,
                Range.between(1, 256),
                Importance.LOW,
                "How many files a task writes at a time.");
    }

    private static void checkPath(String name, Object value) {
        String path = String.valueOf(value);
        if (!path.startsWith("/") || path.length() > 1 && path.endsWith("/") || path.contains("//")) {
            throw new ConfigException(name, value, "must be an absolute path without scheme, such as /cals/meas");
        }
        if (!PrintableText.isPlain(path)) {
            throw new ConfigException(
                    name, PrintableText.of(path), "holds a control character or another one that cannot be seen");
        }
    }

    private static void checkFsUri(String name, Object value) {
        try {
            URI uri = new URI(String.valueOf(value));
            String authority = uri.getRawAuthority(); // a host, or a nameservice with letters that no host has
            boolean whole = "hdfs".equals(uri.getScheme()) && authority != null && !authority.startsWith(":");
            if (whole && (uri.getPath().isEmpty() || uri.getPath().equals("/"))) {
                return;
            }
            throw new ConfigException(
                    name,
                    value,
                    (whole ? "names a path, which belongs into " + DATASET : "is not the address of an HDFS")
                            + "; write hdfs://namenode:8020 or hdfs://nameservice");
        } catch (URISyntaxException e) {
            throw new ConfigException(
                    name, value, "is no URI (" + e.getReason() + "); write hdfs://namenode:8020 or hdfs://nameservice");
        }
    }

    private static void checkColumns(String name, Object value) {
        try {
            ColumnMapping.parse(((List<?>) value).stream().map(String::valueOf).toList());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(name, value, e.getMessage());
        }
    }
}
