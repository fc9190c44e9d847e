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
package org.hadoopmpsr.benchmarks.scatter;

/**
 * What it takes to write anew what a node held.
 *
 * @param lost the bytes that the node held
 * @param read the bytes that are read for it
 * @param seconds the time from the first read to the last write
 */
record Recovery(double lost, double read, double seconds) {
    /** What each node reads in a second for recoveries, and what it writes besides: a quarter of a disk's 200 MB. */
    static final double BYTES_PER_SECOND = 50e6;
}
