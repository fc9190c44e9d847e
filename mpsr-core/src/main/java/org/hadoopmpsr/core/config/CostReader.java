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

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.SlowReads;
import org.hadoopmpsr.core.group.Codec;

/** Reads the cost keys, and adds the problems that it finds. */
final class CostReader {
    /** A rate of this many per millisecond is a million per second. */
    private static final double MILLION_PER_SECOND = 1_000;

    private final MpsrConfig.Source source;
    private final List<ConfigProblem> problems;

    CostReader(MpsrConfig.Source source, List<ConfigProblem> problems) {
        this.source = source;
        this.problems = problems;
    }

    CostModel read() {
        Map<Codec.Kind, Double> decompress = new EnumMap<>(Codec.Kind.class);
        for (Codec.Kind kind : Codec.Kind.OF_FILES) {
            decompress.put(kind, rate(ConfigKeys.costDecompress(kind), ConfigKeys.COST_DECOMPRESS));
        }
        return new CostModel(
                ms(ConfigKeys.COST_OPEN),
                new ReadCost(
                        ms(ConfigKeys.COST_DISK_PREPARE),
                        rate(ConfigKeys.COST_DISK_RATE.name(), ConfigKeys.COST_DISK_RATE),
                        ms(ConfigKeys.COST_NETWORK_PREPARE),
                        rate(ConfigKeys.COST_NETWORK_RATE.name(), ConfigKeys.COST_NETWORK_RATE)),
                decompress,
                rate(ConfigKeys.COST_VALUES.name(), ConfigKeys.COST_VALUES),
                parallelism());
    }

    SlowReads slowReads() {
        return new SlowReads(
                number(ConfigKeys.COST_SLOW_NODE.name(), ConfigKeys.COST_SLOW_NODE, 1, "not a number from 1"));
    }

    private double ms(ConfigKey definition) {
        return number(definition.name(), definition, 0, "not a number from 0");
    }

    private double rate(String key, ConfigKey definition) {
        return number(key, definition, Double.MIN_NORMAL, "not a number above 0") * MILLION_PER_SECOND;
    }

    private int parallelism() {
        return (int) number(ConfigKeys.COST_PARALLELISM.name(), ConfigKeys.COST_PARALLELISM, 1, "not a number from 1");
    }

    private double number(String key, ConfigKey definition, double least, String cause) {
        String value = source.apply(key);
        String text = value == null || value.isBlank() ? definition.defaultValue() : value.trim();
        try {
            double number = Double.parseDouble(text);
            if (number >= least && number <= 1e9) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through to the same problem
        }
        problems.add(
                new ConfigProblem(key, text, cause, "set it to " + definition.defaultValue() + " or leave it out"));
        return Double.parseDouble(definition.defaultValue());
    }
}
