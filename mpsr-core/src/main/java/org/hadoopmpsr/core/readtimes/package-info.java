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
/**
 * What times of reads tell: classes such as reads from memory and from a disk, their costs and causes, and which host, disk or time is
 * slower than others. After Kunkel ("Analyzing data properties using statistical sampling", and the classification of I/O by the density
 * of its times and by families of linear models).
 */
package org.hadoopmpsr.core.readtimes;
