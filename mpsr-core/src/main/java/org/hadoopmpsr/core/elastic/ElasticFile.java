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
package org.hadoopmpsr.core.elastic;

/**
 * A file that may have further copies.
 *
 * @param id of the file
 * @param bytes of one copy
 * @param least the copies that it has without further ones: its group's number
 * @param most the most copies that it may have; at least {@code least}
 * @param now the copies that it has
 * @param heat how often it was read, as {@link FileHeat} counts
 */
public record ElasticFile(long id, long bytes, int least, int most, int now, double heat) {

    public ElasticFile {
        if (bytes < 0 || least < 1 || most < least || now < 0) {
            throw new IllegalArgumentException(
                    "bytes " + bytes + ", copies from " + least + " to " + most + ", now " + now);
        }
    }

    /** The further copies that it has, and may keep. */
    int further() {
        return Math.max(0, Math.min(now, most) - least);
    }
}
