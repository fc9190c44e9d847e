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
package org.hadoopmpsr.core.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Objects;

/** Bytes that are committed as a resource: hexadecimal digits at the start of each line, and after two spaces what they are. */
final class GoldenBytes {

    private GoldenBytes() {}

    /** The bytes of {@code format/NAME.hex}. */
    static byte[] of(String name) throws IOException {
        StringBuilder digits = new StringBuilder();
        for (String line : text(name + ".hex").split("\n", -1)) {
            digits.append(line.replaceFirst("(  .*|#.*)$", ""));
        }
        return HexFormat.of().parseHex(digits);
    }

    private static String text(String name) throws IOException {
        try (InputStream in = GoldenBytes.class.getResourceAsStream("/format/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        }
    }
}
