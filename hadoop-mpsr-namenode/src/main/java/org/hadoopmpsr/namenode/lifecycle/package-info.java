/** Creates, drops and describes datasets. */
package org.hadoopmpsr.namenode.lifecycle;
