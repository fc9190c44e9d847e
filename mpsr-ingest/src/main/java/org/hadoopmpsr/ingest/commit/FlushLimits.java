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
package org.hadoopmpsr.ingest.commit;

/**
 * When records are committed: at the latest when one of the limits is reached.
 *
 * @param records how many records a dataset may have buffered in a task, those among them that cannot be stored
 * @param bytes how many bytes of memory they may take
 * @param workerBytes how many bytes all tasks that share their memory may buffer
 * @param intervalMs how long a record may be buffered
 * @param retryBackoffMs how long to wait before a failed attempt is made again
 */
public record FlushLimits(long records, long bytes, long workerBytes, long intervalMs, long retryBackoffMs) {}
