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
 * Reads that take alike.
 *
 * @param time by size
 * @param reads how many
 * @param bytes of all of them
 * @param cause what they go through, by the nearest expected time
 * @param factor the time that they take, divided by the expected one of the cause
 */
public record ReadClass(LinearTime time, int reads, long bytes, Cause cause, double factor) {}
