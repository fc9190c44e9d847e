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
package org.hadoopmpsr.core.tune;

/**
 * What a tree learns from: a workload belongs to the class of the configuration that is best for it.
 *
 * @param label the class, from 0
 * @param weight how much it matters: what the workload loses with the other classes, on average; above 0
 */
public record Example(Features features, int label, double weight) {}
