/** What is damaged in datasets: files that cannot be read or are not what was published, and segments that lack records. */
package org.hadoopmpsr.namenode.damage;
