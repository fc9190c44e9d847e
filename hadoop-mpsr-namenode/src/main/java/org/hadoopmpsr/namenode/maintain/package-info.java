/** Which process maintains the cluster, and the last runs of its tasks: their records in the store, and who may change them. */
package org.hadoopmpsr.namenode.maintain;
