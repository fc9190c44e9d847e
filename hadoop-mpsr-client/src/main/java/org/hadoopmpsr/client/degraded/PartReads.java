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
package org.hadoopmpsr.client.degraded;

import java.util.List;
import java.util.Set;

/**
 * The ways in which a part of a file can be read. Each gives the same records.
 *
 * @param <T> what is given at a time
 */
public interface PartReads<T> {
    /** The engine's reader, on a client that gives up soon. */
    PartRecords<T> failingSoon() throws Exception;

    /** The DataNodes of each block of the part; empty if the NameNode does not tell. */
    List<Set<String>> nodes();

    /** The engine's reader, as without MPSR. */
    PartRecords<T> patient() throws Exception;

    /**
     * The records from another group.
     *
     * @param careful to read all of a source once before its records are given
     * @throws Exception that says why, if no group can give them; nothing was given then
     */
    OtherGroup<T> fromOtherGroup(boolean careful) throws Exception;
}
