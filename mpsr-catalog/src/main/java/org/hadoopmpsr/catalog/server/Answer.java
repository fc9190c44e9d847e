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
package org.hadoopmpsr.catalog.server;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to a request that could be carried out.
 *
 * @param body of a class of Iceberg; null for none
 * @param headers of HTTP, beside those that every answer has
 */
record Answer(@Nullable Object body, Map<String, String> headers) {
    static final Answer NOTHING = new Answer(null, Map.of());

    /** An answer without headers. */
    static Answer of(Object body) {
        return new Answer(body, Map.of());
    }
}
