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
package org.hadoopmpsr.client.cli.compact;

import org.hadoopmpsr.client.cli.common.Bytes;
import org.hadoopmpsr.core.compact.MergeRules;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for the size of merged segments. */
public final class MergeTarget {
    @Option(
            names = "--target-bytes",
            paramLabel = "BYTES",
            converter = Target.class,
            description = "The most bytes that a merged segment has in a replica group, such as 8g (k, m and g are"
                    + " multiples of 1,024). Default: 64 HDFS blocks.")
    private @Nullable Long bytes;

    private static final class Target implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            long bytes = new Bytes().convert(text);
            if (bytes < MergeRules.LEAST_TARGET) {
                throw new TypeConversionException("'" + text + "' is less than the least target, which is "
                        + MergeRules.LEAST_TARGET + " bytes; give one such as 8g, or leave it out");
            }
            return bytes;
        }
    }

    /** In bytes; 0 for the default. */
    public long bytes() {
        return bytes == null ? 0 : bytes;
    }
}
