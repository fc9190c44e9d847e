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
package org.hadoopmpsr.core.tune;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.advise.DataSample;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.SimpleType;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;

/** The features of a dataset's workload, as far as a sample of its records and what is asked of it tell them. */
public final class DatasetFeatures {
    private DatasetFeatures() {}

    /**
     * The features by their names; the bandwidth is not among them. Queries that were left on stock count as those that read everything.
     * The share of records that queries return is not known: it is that of the records that planning leaves for them to look at.
     *
     * @param classes what was asked; without any, nothing is read
     */
    public static Map<String, Double> of(DataSample sample, List<QueryClass> classes) {
        double queries = 0;
        double columns = 0;
        double share = 0;
        for (QueryClass its : classes) {
            double asked = its.tally().queries();
            List<String> read = its.shape().columns();
            queries += asked;
            columns += asked * (read == null ? sample.schema().columns().size() : read.size());
            share += asked * share(its);
        }
        double width = sample.rows().stream()
                .mapToDouble(row -> width(row.values()))
                .average()
                .orElse(0);
        Map<String, Double> features = new LinkedHashMap<>();
        features.put(Feature.ROWS.key(), sample.records());
        features.put(Feature.BYTES.key(), sample.records() * width);
        features.put(Feature.COLUMNS.key(), queries == 0 ? 0 : columns / queries);
        features.put(Feature.SELECTIVITY.key(), queries == 0 ? 0 : share / queries);
        features.put(Feature.WIDTH.key(), width);
        features.put(Feature.NUMERIC.key(), numeric(sample.schema()));
        features.put(Feature.READS.key(), queries);
        return features;
    }

    private static double share(QueryClass its) {
        double all = its.tally().all().records();
        double read = its.tally().planned().records();
        return all > 0 && read >= 0 ? Math.min(1, read / all) : 1;
    }

    /** The share of columns that are numbers or times; 0 without columns. */
    public static double numeric(Schema schema) {
        return schema.columns().stream()
                .map(Column::type)
                .mapToDouble(type ->
                        type instanceof SimpleType && type != SimpleType.STRING && type != SimpleType.BINARY ? 1 : 0)
                .average()
                .orElse(0);
    }

    /** The bytes of a record without compression: 8 of a number or a time, 1 of a boolean, those of UTF-8 of a text, none of null. */
    public static double width(List<@Nullable Object> values) {
        double bytes = 0;
        for (Object value : values) {
            if (value instanceof String text) {
                bytes += text.getBytes(StandardCharsets.UTF_8).length;
            } else if (value instanceof byte[] raw) {
                bytes += raw.length;
            } else if (value instanceof Boolean) {
                bytes += 1;
            } else if (value != null) {
                bytes += Long.BYTES;
            }
        }
        return bytes;
    }
}
