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

/**
 * A configuration key.
 *
 * @param name the key; {@code <g>} stands for the name of a replica group
 * @param type the kind of value, for the reference page
 * @param defaultValue the default as text; empty if there is none
 * @param doc the description, for the reference page
 */
public record ConfigKey(String name, String type, String defaultValue, String doc) {

    /** The key for one replica group. */
    public String of(String group) {
        return name.replace("<g>", group);
    }
}
