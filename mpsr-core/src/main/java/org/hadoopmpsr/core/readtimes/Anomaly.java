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
package org.hadoopmpsr.core.readtimes;

/**
 * A host, a disk or a time whose reads are slower than others of their size.
 *
 * @param host empty if all hosts are slow at that time
 * @param disk empty if it is not the disk, or not known
 * @param fromMs since when, in milliseconds since the epoch; 0 for all reads
 * @param toMs until when; 0 for all reads
 * @param reads how many
 * @param factor how many times as long they take as the others of their size, by geometric means
 * @param sure the probability that it is no chance, from 0 to 1
 */
public record Anomaly(String host, String disk, long fromMs, long toMs, int reads, double factor, double sure) {}
