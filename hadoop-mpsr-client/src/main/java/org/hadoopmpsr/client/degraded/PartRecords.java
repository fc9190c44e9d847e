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

import java.io.Closeable;

/**
 * Records of a part of a file, one or some at a time. For one thread.
 *
 * @param <T> what is given at a time
 */
public interface PartRecords<T> extends Closeable {
    /**
     * Whether there is more.
     *
     * @throws Exception if the records cannot be read
     */
    boolean hasNext() throws Exception;

    /**
     * Goes on. What was given before may change with it.
     *
     * @throws Exception if the records cannot be read
     */
    T next() throws Exception;
}
