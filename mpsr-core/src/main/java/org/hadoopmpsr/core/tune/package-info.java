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
 * Settings that fit a workload, learnt from measured runs: a designed grid of configurations, their scores, and a tree that prescribes
 * one of them by features of the workload. After Kunkel, Zimmer and Betke ("Predicting Performance of Non-Contiguous I/O with Machine
 * Learning", ISC 2015), who let decision trees choose settings of I/O, with the loss against the best settings as the measure.
 */
package org.hadoopmpsr.core.tune;
