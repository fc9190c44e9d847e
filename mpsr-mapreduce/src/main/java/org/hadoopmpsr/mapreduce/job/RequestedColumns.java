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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.avro.AvroReadSupport;
import org.apache.parquet.avro.AvroSchemaConverter;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.SchemaCompatibilityValidator;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.hadoopmpsr.client.degraded.PlannedFileSystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.slf4j.Logger;

/** The columns that a job's read support requests of a file. Two files with equal requests give equal records. */
final class RequestedColumns {
    private static final Logger LOG = PrintableLog.of(RequestedColumns.class);

    private final FileMetaData file;
    private final ReadSupport.ReadContext context;

    private RequestedColumns(FileMetaData file, ReadSupport.ReadContext context) {
        this.file = file;
        this.context = context;
    }

    /** Reads the footer of the first of some files that can be read. */
    static RequestedColumns ofAny(List<Path> files, Configuration conf, ReadSupport<?> support) throws IOException {
        Configuration failing = new Configuration(conf);
        PlannedFileSystem.addTo(failing, ConfigKeys.degradedTimeoutMs(conf::get));
        for (Path file : files) {
            try {
                return of(PlannedFileSystem.path(file), failing, support);
            } catch (IOException | RuntimeException e) {
                LOG.info("The footer of {} cannot be read, which those of other files may replace", file, e);
            }
        }
        return of(files.get(0), conf, support);
    }

    private static RequestedColumns of(Path path, Configuration conf, ReadSupport<?> support) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(path, conf))) {
            return of(reader.getFooter().getFileMetaData(), conf, support);
        }
    }

    private static RequestedColumns of(FileMetaData file, Configuration conf, ReadSupport<?> support) {
        Map<String, Set<String>> metadata = file.getKeyValueMetaData().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> Set.of(e.getValue())));
        return new RequestedColumns(file, support.init(new InitContext(conf, metadata, file.getSchema())));
    }

    private MessageType schema() {
        return context.getRequestedSchema();
    }

    /** The names of the columns; for nested columns, the names at the top. */
    Set<String> names() {
        return schema().getFields().stream().map(Type::getName).collect(Collectors.toSet());
    }

    /**
     * Whether the read support may request other columns of files that lack some columns, or have them with other types. Asked of
     * a file with one more column and wider numbers; in doubt true.
     */
    boolean dependOnFile(Configuration conf, ReadSupport<?> support) {
        List<Type> fields = new ArrayList<>();
        file.getSchema().getFields().forEach(field -> fields.add(wider(field)));
        fields.add(Types.optional(PrimitiveTypeName.INT64).named("mpsr_one_more_column"));
        MessageType other = new MessageType(file.getSchema().getName(), fields);
        try {
            return !of(new FileMetaData(other, file.getKeyValueMetaData(), file.getCreatedBy()), conf, support)
                    .schema()
                    .equals(schema());
        } catch (RuntimeException e) {
            LOG.debug("The read support takes no file with other columns", e);
            return true;
        }
    }

    private static Type wider(Type field) {
        if (!field.isPrimitive() || field.getLogicalTypeAnnotation() != null) {
            return field;
        }
        PrimitiveTypeName name = switch (field.asPrimitiveType().getPrimitiveTypeName()) {
            case INT32 -> PrimitiveTypeName.INT64;
            case FLOAT -> PrimitiveTypeName.DOUBLE;
            default -> null;
        };
        return name == null
                ? field
                : Types.primitive(name, field.getRepetition()).named(field.getName());
    }

    /** The columns of this file, requested with other settings. */
    RequestedColumns with(Map<String, String> settings, Configuration conf, ReadSupport<?> support) {
        Configuration changed = new Configuration(conf);
        settings.forEach(changed::set);
        return of(file, changed, support);
    }

    /** Why Parquet would not evaluate the filter on these columns as written, if so. */
    Optional<String> problem(FilterPredicate filter, Set<ColumnPath> filtered) {
        for (ColumnPath column : filtered) {
            if (!schema().containsPath(column.toArray()) || !file.getSchema().containsPath(column.toArray())) {
                return Optional.of("the filter's column " + column.toDotString()
                        + " is not among those that the job reads of files");
            }
        }
        try {
            SchemaCompatibilityValidator.validate(filter, schema());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("the filter does not fit the files: " + e.getMessage());
        }
    }

    /** Whether the job makes records of both files in one way. */
    boolean sameAs(RequestedColumns other) {
        Map<String, String> settings = context.getReadSupportMetadata();
        Map<String, String> others = other.context.getReadSupportMetadata();
        return schema().equals(other.schema())
                && metadata().equals(other.metadata())
                && (settings == null ? Map.of() : settings).equals(others == null ? Map.of() : others);
    }

    /** The footer's settings for readers, without those of MPSR, such as the commit. */
    private Map<String, String> metadata() {
        Map<String, String> settings = new HashMap<>(file.getKeyValueMetaData());
        settings.keySet().removeIf(key -> key.startsWith("mpsr."));
        return settings;
    }

    /** Whether the schema's text can be read. It cannot where a name has a blank or a semicolon. */
    private boolean isReadAsText() {
        try {
            MessageTypeParser.parseMessageType(schema().toString());
            return true;
        } catch (RuntimeException e) {
            LOG.debug("The text of the schema {} is none", schema(), e);
            return false;
        }
    }

    /** Settings with which the read support requests these columns of any file; empty where there are none. */
    Map<String, String> asProjection(Configuration conf, ReadSupport<?> support) {
        Map<String, String> settings = new HashMap<>();
        if (support instanceof GroupReadSupport && isReadAsText()) {
            settings.put(ReadSupport.PARQUET_READ_SCHEMA, schema().toString());
        } else if (support.getClass().getName().equals("org.apache.parquet.avro.AvroReadSupport")) {
            settings.put(
                    AvroReadSupport.AVRO_REQUESTED_PROJECTION,
                    new AvroSchemaConverter(conf).convert(schema()).toString());
        }
        return settings;
    }
}
