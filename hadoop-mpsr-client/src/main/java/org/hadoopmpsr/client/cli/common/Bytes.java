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
package org.hadoopmpsr.client.cli.common;

import org.apache.hadoop.util.StringUtils;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers of bytes as Hadoop's configuration writes them. */
public final class Bytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            long bytes = StringUtils.TraditionalBinaryPrefix.string2long(text);
            if (bytes >= 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) { // said below
        }
        throw new TypeConversionException("'" + text + "' is no number of bytes; give one such as 1048576 or 50m");
    }
}
