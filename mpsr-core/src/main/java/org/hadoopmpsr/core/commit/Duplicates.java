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
package org.hadoopmpsr.core.commit;

import java.io.Serializable;
import org.hadoopmpsr.core.hash.ContentHash;

/**
 * The records of a directory that a rewrite leaves out, because another record has the same key columns.
 *
 * @param group the name of a replica group
 * @param directory below the group's root; empty for the root itself
 * @param content of these records, hashed as those of the new files are
 */
public record Duplicates(String group, String directory, ContentHash content) implements Serializable {}
