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
package org.hadoopmpsr.ingest.decode.avro;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.Schema;
import org.hadoopmpsr.ingest.decode.file.ConfiguredFile;

/** The schemas that records are written with, from files. */
public final class AvroSchemas {
    private static final String WHAT = "the Avro schema";

    private AvroSchemas() {}

    /**
     * Reads schemas, each from a file of its own.
     *
     * @throws IllegalArgumentException naming the file that cannot be read, and nothing of what is in it
     */
    public static List<Schema> load(List<String> files) {
        return files.stream().map(AvroSchemas::load).toList();
    }

    private static Schema load(String file) {
        String text = new String(ConfiguredFile.read(WHAT, file), StandardCharsets.UTF_8);
        try {
            return new Schema.Parser().parse(text);
        } catch (RuntimeException e) { // of many kinds, and with the file's text in message and cause
            throw ConfiguredFile.unreadable(
                    WHAT, file, "it is not an Avro schema (" + e.getClass().getSimpleName() + place(e) + ")");
        }
    }

    private static String place(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JacksonException json && json.getLocation() != null) {
                JsonLocation at = json.getLocation();
                return ", line " + at.getLineNr() + ", column " + at.getColumnNr();
            }
        }
        return "";
    }
}
